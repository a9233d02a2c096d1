import type { FileName, Sent } from '../case.ts';
import { homes } from '../homes.ts';
import { fill, type LookUp, unfilled } from './template.ts';

/** A request ready to go: the path below the base URL, the headers as a flat list of names and values. */
export type HttpRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly string[];
  readonly body: Uint8Array;
};

/** Writes nothing that a test would miss: a refused request with this body must not leave it behind. */
const usualBody = '{"summary":"Must not be stored."}';

/** The request with its usual parts filled in, placeholders still standing: fit to be shown. */
export const complete = (sent: Sent, file: FileName) => {
  const home = homes[file];
  const { space = home.space, file: segment = home.file, body = usualBody } = sent;
  const { method = 'PATCH', path = `/v1/spaces/${space}/files/${segment}`, query = '' } = sent;
  const headers: NonNullable<Sent['headers']> = {
    'content-type': 'application/json',
    'x-api-key': '{apiKeys.editor}',
    'x-tenant-id': '{tenantId}',
    'x-user-id': home.user,
    ...sent.headers,
  };
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    (value === null ? [] : [value].flat()).map((one) => [name, one] as const),
  );
  return { method, target: path + query, headers: pairs, body };
};

/** Placeholders of a request that the world has nothing for. */
export const missingFor = (sent: Sent, { file, lookUp }: { file: FileName; lookUp: LookUp }) => {
  const { target, headers } = complete(sent, file);
  return [target, ...headers.map(([, value]) => value)].flatMap((template) => unfilled(template, lookUp));
};

/** Fills the placeholders. What is not ASCII goes out as UTF-8: Node writes headers as Latin-1. */
export const toHttpRequest = (
  sent: Sent,
  { file, lookUp }: { file: FileName; lookUp: LookUp },
): HttpRequest => {
  const { method, target, headers, body } = complete(sent, file);
  const bytes = Buffer.from(body ?? '');
  const framing = sent.chunked ? ['transfer-encoding', 'chunked'] : ['content-length', `${bytes.length}`];
  const fields = headers.flatMap(([name, value]) => [
    name,
    Buffer.from(fill(value, lookUp)).toString('latin1'),
  ]);
  return {
    method,
    path: fill(target, lookUp, encodeURIComponent),
    headers: [...fields, ...framing],
    body: bytes,
  };
};
