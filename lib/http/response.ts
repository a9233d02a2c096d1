import { Failure, type FailureDetails } from '#lib/domain/failure.ts';
import type { FileView } from '#lib/domain/file.ts';
import { answers } from './answers.ts';
import { toEtag } from './etag.ts';

/** A response that both payload formats understand. */
export type ApiResponse = {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

const respond = (statusCode: number, headers: Record<string, string>, body: unknown): ApiResponse => ({
  statusCode,
  headers: {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...headers,
  },
  body: JSON.stringify(body),
});

/** 200 with the file. */
export const fileResponse = ({ file, version }: { file: FileView; version: number }): ApiResponse =>
  respond(200, { etag: toEtag(version) }, file);

/** What a client learns of a fault: nothing. */
const opaque: Pick<Failure, 'code'> & { details: Partial<FailureDetails> } = {
  code: 'internal-error',
  details: {},
};

/** The answer to a failure, or to anything else that was thrown: then opaque. */
export const errorResponse = (error: unknown): ApiResponse => {
  const { code, details } = error instanceof Failure ? error : opaque;
  const { status, message, headers } = answers[code];
  const etag = details.version === undefined ? {} : { etag: toEtag(details.version) };
  return respond(status, { ...headers, ...etag }, { message: details.message ?? message });
};
