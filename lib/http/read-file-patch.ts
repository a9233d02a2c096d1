import { Failure } from '#lib/domain/failure.ts';
import { type FilePatch, toFilePatch } from '#lib/domain/file-patch.ts';
import type { EventRequest } from './event.ts';
import { expectJson } from './media-type.ts';
import { readBody } from './read-body.ts';

const parseJson = (json: string): unknown => {
  try {
    return JSON.parse(json);
  } catch {
    // The cause is left out: its message quotes the body.
    throw new Failure('body-not-json', { reason: 'body is not JSON' });
  }
};

/**
 * The partial update that the body asks for.
 *
 * @throws {Failure} content-type-unsupported, content-encoding-unsupported, body-too-large, body-missing,
 * body-not-json, body-not-object, patch-empty, patch-invalid: the first that applies
 */
export const readFilePatch = (request: EventRequest): FilePatch => {
  expectJson(request.headers);
  const json = readBody(request);
  const body = parseJson(json);
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new Failure('body-not-object', { reason: 'body is JSON but no object' });
  return toFilePatch(json, body);
};
