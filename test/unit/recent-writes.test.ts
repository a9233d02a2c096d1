import { expect, test } from 'vitest';
import type { FilePatch } from '#lib/domain/file-patch.ts';
import { formatRecentWrite, readRecentWrites, toRequestMark } from '#lib/store/recent-writes.ts';
import { aFile } from '#test/support/fixtures.ts';

const update = {
  spaceId: 'handbook',
  fileId: 'f',
  patch: { summary: 'New.' },
  precondition: undefined,
  tenantId: 'acme',
  userId: 'grace',
  idempotencyKey: undefined,
};

/** Entries as version 1.0.0 stores them. Releases must read them, and must leave the same for the same request. */
const stored = {
  plain: '75b2f87e975e4690..hoen38504w',
  repeatable: 'cOVhygGodmZ.Nt7OYqmsWse.hoen384j5s',
};
test('the form of stored entries stays that of 1.0.0', () => {
  expect(readRecentWrites(aFile({ w1: stored.plain, w2: stored.repeatable }))).toStrictEqual([
    { id: '75b2f87e975e4690', payloadHash: '', version: 1_795_373_260_502_000 },
    { id: 'cOVhygGodmZ', payloadHash: 'Nt7OYqmsWse', version: 1_795_373_260_480_000 },
  ]);
  const entryOf = (idempotencyKey: string | undefined, version: number) =>
    formatRecentWrite(
      toRequestMark({ ...update, idempotencyKey }, '75b2f87e-975e-4690-8000-000000000000'),
      version,
    );
  expect([entryOf(undefined, 1_795_373_260_502_000), entryOf('key', 1_795_373_260_480_000)]).toEqual([
    stored.plain,
    stored.repeatable,
  ]);
});

// Another release may define the fields in another order. A request that is sent again would then get 422 in place of 200.
test('the order of the fields in a patch does not change its hash', () => {
  const markOf = (patch: FilePatch) =>
    toRequestMark({ ...update, patch, idempotencyKey: 'key' }, 'request-1');
  expect(markOf({ documentKind: null, summary: 'New.' })).toEqual(
    markOf({ summary: 'New.', documentKind: null }),
  );
});
