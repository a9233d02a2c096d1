import { Failure } from '#lib/domain/failure.ts';
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

/** The answer to a failure, or to anything else that was thrown: then opaque. */
export const errorResponse = (error: unknown): ApiResponse => {
  if (!(error instanceof Failure)) return errorResponse(new Failure('internal-error', { reason: 'fault' }));
  const { status, message, headers } = answers[error.code];
  const { version } = error.details;
  const etag = version === undefined ? {} : { etag: toEtag(version) };
  return respond(status, { ...headers, ...etag }, { message: error.details.message ?? message });
};
