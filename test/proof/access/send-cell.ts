import { isDeepStrictEqual } from 'node:util';
import { NOW } from '#test/support/given.ts';
import { aResponse, startService } from '#test/support/service.ts';
import { type Cell, tell } from './cells.ts';
import type { Contents } from './engines/backend.ts';
import type { recorded } from './engines/recorder.ts';
import { callsOf, eventOf } from './matrix-fixture.ts';
import { type Verdict, verdictOf } from './oracle.ts';

type Recorded = ReturnType<typeof recorded>;

/** What the tables must hold afterwards: what they held, but for the one file when the answer is 200. */
const contentsAfter = (
  before: Contents,
  { space, file, user }: Cell,
  version: number,
  requestId: string,
) => ({
  ...before,
  files: before.files.map((item) =>
    item['spaceId'] === space.spaceId && item['fileId'] === file.fileId
      ? { ...item, summary: requestId, version, requestId, updatedBy: user.sent }
      : item,
  ),
});

/** Sends cells one after the other and tells every difference from the oracle. */
export const startMatrix = async (tables: Recorded) => {
  let sent = 0;
  let before = await tables.everything();
  // A new service would begin its request ids anew, and its clock must be past the last write.
  const service = startService(tables, { now: () => NOW + sent });

  const bodyOf = (after: Contents, { space, file }: Cell, { message }: Verdict) => {
    if (message !== undefined) return { message };
    const stored = after.files.find(
      ({ spaceId, fileId }) => spaceId === space.spaceId && fileId === file.fileId,
    );
    const { spaceId, fileId, version, requestId, updatedBy, ...fields } = { ...stored };
    return { id: fileId, ...fields };
  };

  return {
    /** Gives the answer and the calls, and what differs from the oracle. */
    send: async (cell: Cell) => {
      sent += 1;
      const requestId = `request-${sent}`;
      const verdict = verdictOf(cell);
      const response = await service.send(eventOf(cell, requestId));
      const calls = tables.take();
      const after = await tables.everything();

      const etag = response.headers['etag'];
      const written = verdict.status === 200;
      const version = Number(etag?.slice(1, -1));
      const contents = written ? contentsAfter(before, cell, version, requestId) : before;
      const headers = written ? { etag: `"${version}"` } : {};
      const expected = aResponse(verdict.status, bodyOf(contents, cell, verdict), headers, requestId);
      const differences = [
        isDeepStrictEqual(
          { ...response, body: JSON.parse(response.body) },
          { ...expected, body: JSON.parse(expected.body) },
        )
          ? ''
          : `answered ${response.statusCode} ${response.body}, promised ${expected.statusCode} ${expected.body}`,
        isDeepStrictEqual(calls, callsOf(cell, verdict)) ? '' : `calls: ${calls.join('; ')}`,
        isDeepStrictEqual(after, contents) ? '' : 'the tables hold something else',
      ].filter((difference) => difference !== '');
      before = after;
      return { response, calls, verdict, differences: differences.map((text) => `${tell(cell)}: ${text}`) };
    },
  };
};
