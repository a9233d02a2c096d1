import { ApiKeyRecordSchema } from '#lib/domain/api-key.ts';
import { toFileStamp, toFileView } from '#lib/domain/file.ts';
import type { FilePatch } from '#lib/domain/file-patch.ts';
import { SpaceRecordSchema } from '#lib/domain/space.ts';
import type { HandlerDeps } from './create-handler.ts';
import { readEvent } from './event.ts';
import { toLogLine } from './log-line.ts';
import { readFilePatch } from './read-file-patch.ts';
import { type ApiRequest, openRequest } from './request.ts';
import { fileResponse } from './response.ts';

type PrimeDeps = HandlerDeps & {
  /** Prepares a write without making it. */
  readonly rehearseWrite: (patch: FilePatch) => Promise<void>;
};

/** An API key that nobody has; and if somebody had it: a request without a body writes nothing. */
const strangersRequest: unknown = {
  version: '2.0',
  requestContext: { http: { method: 'PATCH' } },
  headers: { 'x-user-id': '-', 'x-tenant-id': '-', 'x-api-key': '-', 'content-type': 'application/json' },
  pathParameters: { spaceId: '-', fileId: '-' },
};

const body = '{"summary":"-","documentKind":null}';

const file = { spaceId: '-', fileId: '-', language: '-', domain: '-' };

/** What only a request that gets through comes by: schemas compile themselves when they are first used. */
const comeBy = (request: ApiRequest, deps: HandlerDeps): void => {
  ApiKeyRecordSchema.safeParse({});
  SpaceRecordSchema.safeParse({});
  fileResponse({ file: toFileView(file), version: toFileStamp(file).version });
  toLogLine(request, { status: 200, now: deps.now() });
};

/** Leaves a second for a connection and a retry; Lambda gives an init ten. */
const context = { getRemainingTimeInMillis: () => 1_500 };

/**
 * Prepares an operation by the request of a stranger, which reads and is refused, and by a write that is never sent:
 * what a first request pays for, connecting and compiling, is paid while Lambda still gives init a whole processor
 * (docs/decisions/010).
 *
 * @returns settles within a second or so and never throws: what is out of reach then is for a request to tell
 */
export const createPrime =
  (operation: (request: ApiRequest) => Promise<unknown>, deps: PrimeDeps) => async (): Promise<void> => {
    const steps = [
      operation,
      (request: ApiRequest) => comeBy(request, deps),
      (request: ApiRequest) => deps.rehearseWrite(readFilePatch({ ...request, body })),
    ];
    for (const step of steps) {
      try {
        await step(openRequest(readEvent(strangersRequest), context, deps));
      } catch {
        // Refused or aborted, as it should be; or out of reach.
      }
    }
  };
