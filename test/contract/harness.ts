import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { responseErrors } from '#test/support/openapi.ts';
import {
  before,
  type Case,
  type Editable,
  type Expected,
  type FileName,
  type Sent,
  type Step,
} from './case.ts';
import type { Fixture } from './fixture.ts';
import type { HttpRequest, HttpResponse, Transport } from './http.ts';

const homes: Readonly<Record<FileName, { space: string; file: string; user: string }>> = {
  detailed: { space: '{spaces.public}', file: '{files.detailed.id}', user: '{userId}' },
  basic: { space: '{spaces.public}', file: '{files.basic.id}', user: '{userId}' },
  private: { space: '{spaces.private}', file: '{files.private.id}', user: '{ownerId}' },
};

const swapCase = (text: string) =>
  [...text].map((c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase())).join('');
const percentEncode = (text: string) => Buffer.from(text).toString('hex').toUpperCase().replace(/../g, '%$&');
const forms = { percent: percentEncode, twice: (text: string) => percentEncode(text).replaceAll('%', '%25') };

type LookUp = (name: string) => string | undefined;
const placeholder = /\{([a-zA-Z.]+)(?:\|([a-z]+))?\}/g;

/** Replaces placeholders: `{userId}`, or `{userId|swapped}` for a form of it. One without a value stays as it is. */
const fill = (template: string, lookUp: LookUp, encode = (text: string) => text): string =>
  template.replace(placeholder, (all, name: string, form: string | undefined) => {
    const value = lookUp(name);
    if (value === undefined || (form === 'swapped' && swapCase(value) === value)) return all;
    if (form === 'percent' || form === 'twice') return forms[form](value);
    return encode(form === 'swapped' ? swapCase(value) : value);
  });

/** Every text of the fixture by its path, for example `apiKeys.editor`. */
const flatten = (part: object, path = ''): readonly (readonly [string, string])[] =>
  Object.entries(part).flatMap(([name, value]: [string, unknown]) => {
    if (typeof value === 'string') return [[path + name, value] as const];
    return typeof value === 'object' && value !== null ? flatten(value, `${path}${name}.`) : [];
  });

/** The parts of a request; texts still have their placeholders. */
const complete = (sent: Sent, name: FileName) => {
  const home = homes[name];
  const { space = home.space, file = home.file, body = '{"summary":"Must not be stored."}' } = sent;
  const { method = 'PATCH', path = `/v1/spaces/${space}/files/${file}`, query = '' } = sent;
  const headers: NonNullable<Sent['headers']> = {
    'content-type': 'application/json',
    'x-api-key': '{apiKeys.editor}',
    'x-tenant-id': '{tenantId}',
    'x-user-id': home.user,
    ...sent.headers,
  };
  const fields = Object.entries(headers).flatMap(([field, value]) =>
    (value === null ? [] : [value].flat()).map((one) => [field, one] as const),
  );
  return { method, target: path + query, fields, body };
};

/** What was sent, with placeholders for keys and ids. */
const describe = (sent: Sent, name: FileName): string => {
  const { method, target, fields, body } = complete(sent, name);
  const text = body === null ? 'no body' : Buffer.from(body).toString();
  const parts = [`${method} ${target}`, ...fields.map(([field, value]) => `${field}: ${value}`), text];
  return parts.map((part) => (part.length > 240 ? `${part.slice(0, 240)}…` : part)).join('\n  ');
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

type File = {
  readonly name: FileName;
  readonly view: Record<string, unknown>;
  readonly original: Editable;
  etag: string | undefined;
  /** The etag before the current one. */
  stale: string | undefined;
  /** Whether the file is known to have the values of `before`. */
  isPrepared: boolean;
};

/** A weak etag never matches: this request changes nothing, and its 412 has the current etag. */
const peek: Sent = { headers: { 'if-match': 'W/"0"' } };
const write = (patch: Partial<Editable>): Sent => ({ body: JSON.stringify(patch) });

/** What to check when the fixture cannot be used, by the message of the service. */
const advice: Readonly<Record<string, string>> = {
  'Invalid API Key': 'The service does not know the API key.',
  'API Key does not have permission to access this resource':
    'The API key must belong to the tenant, with scope PRODUCT and the role editor or admin. The user must own a private space.',
  'Space not found': 'The tenant has no such space.',
  'File not found': 'The space has no such file.',
  'Not Found': 'API Gateway has no such route. The base URL must end before /v1.',
};

/** Runs cases against the service behind a transport. */
export const createHarness = (transport: Transport, fixture: Fixture) => {
  const values = new Map(flatten(fixture));
  const keys = Object.values(fixture.apiKeys).filter((key) => key !== undefined);
  const files = new Map<FileName, File>();
  const seen = new Set<string>();
  const isNew = (text: string) => seen.size !== seen.add(text).size;

  const toRequest = (sent: Sent, name: FileName, lookUp: LookUp): HttpRequest => {
    const { method, target, fields, body } = complete(sent, name);
    const bytes = Buffer.from(body ?? '');
    const framing = sent.chunked ? ['transfer-encoding', 'chunked'] : ['content-length', `${bytes.length}`];
    // Node writes headers as Latin-1: UTF-8 goes out as it is.
    const headers = fields.flatMap(([field, value]) => [
      field,
      Buffer.from(fill(value, lookUp)).toString('latin1'),
    ]);
    return {
      method,
      path: fill(target, lookUp, encodeURIComponent),
      headers: [...headers, ...framing],
      body: bytes,
    };
  };

  /** What every response of the function must be, besides the expectation of the case. */
  const checkResponse = ({ status, headers, text }: HttpResponse, name: FileName) => {
    const { 'x-request-id': id = '', 'apigw-requestid': gatewayId, etag } = headers;
    const errors = [
      ...responseErrors({ status, headers, body: parseJson(text) }, { extraHeaders: true }),
      ...(isNew(`request ${id}`) ? [] : ['x-request-id is not new']),
      ...(id === gatewayId ? ['x-request-id is the one of API Gateway'] : []),
      ...(status !== 200 || isNew(`${name} ${etag}`) ? [] : ['etag is not new']),
    ];
    if (errors.length > 0) throw new Error(`${errors.join('; ')}: ${status} ${text.slice(0, 500)}`);
  };

  /** Sends a request about a file. Rejects for a response that no case allows, or that has an API key. */
  const send = async (sent: Sent, name: FileName, { gateway = false } = {}): Promise<HttpResponse> => {
    const { etag, stale } = files.get(name) ?? {};
    const own: Readonly<Record<string, string | undefined>> = { etag, stale };
    const response = await transport.send(toRequest(sent, name, (key) => own[key] ?? values.get(key)));
    // First of all, so that no message below can show a key.
    const all = [response.text, ...Object.values(response.headers)];
    if (keys.some((key) => all.some((part) => part.includes(key))))
      throw new Error('the response has an API key');
    if (!gateway) checkResponse(response, name);
    return response;
  };

  /** Checks that the fixture can be used, without a write; then reads the file by writing its own documentKind. */
  const open = async (name: FileName): Promise<File> => {
    const { documentKind = null, ...stated } = fixture.files[name] ?? {};
    const probe = await send({ ...peek, ...write({ documentKind }) }, name, { gateway: true });
    if (probe.status !== 412) {
      const problem = advice[Object(parseJson(probe.text)).message] ?? 'Expected 412 for a weak If-Match.';
      throw new Error(`${problem} The service responded ${probe.status} ${probe.text.slice(0, 500)}`);
    }
    const { headers, text } = await send(write({ documentKind }), name);
    const view = { ...Object(parseJson(text)) };
    expect(view, `the file ${name} is as the fixture states`).toMatchObject({ ...stated, documentKind });
    if (name !== 'private') expect('originalName' in view, `the shape of ${name}`).toBe(name === 'detailed');
    const original = { summary: view.summary, documentKind };
    const file: File = { name, view, original, etag: headers['etag'], stale: undefined, isPrepared: false };
    files.set(name, file);
    return file;
  };

  /** Sends one request of a case and compares the whole response. After a rejection, the etag must be the same. */
  const step = async (file: File, [sent, expectation]: Step, earlier?: HttpResponse) => {
    const expected = [expectation].flat();
    const response = await send(sent, file.name, { gateway: expected.some(({ gateway }) => gateway) });
    const { status, headers, text } = response;
    if (status === 200) Object.assign(file, { etag: headers['etag'], stale: file.etag });
    const actual = (one: Expected) => ({
      status: one.status === '4xx' && status >= 400 && status < 500 ? '4xx' : status,
      // The etag of an update is known to be new.
      etag: one.gateway || status === 200 ? undefined : headers['etag'],
      acceptPatch: one.gateway ? undefined : headers['accept-patch'],
      body: one.status === '4xx' ? undefined : parseJson(text),
    });
    const whole = ({ message, file: editable, ...one }: Expected) => ({
      status: one.status,
      etag: one.headers?.['etag'] && file.etag,
      acceptPatch: one.headers?.['accept-patch'],
      body: editable ? { ...file.view, ...editable } : message === undefined ? undefined : { message },
    });
    const match = expected.find((one) => isDeepStrictEqual(actual(one), whole(one)));
    for (const one of match ? [match] : expected.slice(0, 1))
      expect(actual(one), describe(sent, file.name)).toStrictEqual(whole(one));
    if (match?.sameBytes) expect(text, 'the response before').toBe(earlier?.text);
    if (status !== 200) {
      const { status: peeked, headers: current } = await send(peek, file.name);
      const message = `the rejected request changed the file:\n${describe(sent, file.name)}`;
      expect({ status: peeked, etag: current['etag'] }, message).toStrictEqual({
        status: 412,
        etag: file.etag,
      });
    }
    return response;
  };

  return {
    send,
    /** The placeholders of a case for which the fixture has no value. */
    missing: ({ file, steps }: Case): readonly string[] =>
      [{}, ...steps.map(([sent]) => sent)].flatMap((sent) => {
        const { target, fields } = complete(sent, file);
        const lookUp: LookUp = (name) => (/^(etag|stale)$/.test(name) ? '"0"' : values.get(name));
        const used = [target, ...fields.map(([, value]) => value)].join(' ').matchAll(placeholder);
        return [...used].map(([all]) => all).filter((all) => fill(all, lookUp) === all);
      }),
    /** Runs a case. Rejects with the difference at the first response that is not as expected. */
    run: async ({ file: name, steps }: Case): Promise<void> => {
      const file = files.get(name) ?? (await open(name));
      if (!file.isPrepared) await step(file, [write(before), { status: 200, file: before }]);
      file.isPrepared = false;
      const responses: HttpResponse[] = [];
      for (const one of steps) responses.push(await step(file, one, responses.at(-1)));
      file.isPrepared = responses.every(({ status }) => status !== 200);
    },
    /** Gives the files their first values back. */
    close: async (): Promise<void> => {
      for (const file of files.values())
        await step(file, [write(file.original), { status: 200, file: file.original }]).catch((cause) => {
          const values = JSON.stringify(file.original);
          throw new Error(`the file ${file.name} does not have its values back: ${values}`, { cause });
        });
      transport.close();
    },
  };
};

/**
 * Sends `count` requests without headers: they cost an invocation and no read. Rejects unless API Gateway responds 429
 * to some of them, and the function 400 to the others.
 */
export const checkRateLimit = async (transport: Transport, count: number): Promise<void> => {
  const request = { method: 'PATCH', path: '/v1/spaces/x/files/x', headers: [], body: Buffer.from('') };
  const responses = await Promise.all(Array.from({ length: count }, () => transport.send(request)));
  transport.close();
  const bodies = new Set(responses.map(({ status, text }) => `${status} ${text}`));
  const expected = ['400 {"message":"x-user-id is required"}', '429 {"message":"Too Many Requests"}'];
  expect([...bodies].toSorted(), `the responses to ${count} requests`).toStrictEqual(expected);
};
