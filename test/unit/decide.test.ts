import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ApiError, InternalError } from '#lib/domain/errors.ts';
import { decide, type WriteResult } from '#lib/store/decide.ts';
import { RECENT_WRITE_ATTRIBUTES } from '#lib/store/recent-writes.ts';
import { aFile } from '#test/support/fixtures.ts';
import { runs } from '#test/support/runs.ts';

const versions = fc.integer({ min: 0, max: 6 });
const entries = fc.record({
  id: fc.constantFrom('this', 'other'),
  hash: fc.constantFrom('', 'p', 'q'),
  version: fc.integer({ min: 1, max: 6 }),
});
const stored = fc.record({
  version: fc.option(versions, { nil: undefined }),
  recentWrites: fc.array(entries, { maxLength: 3 }),
});
const attributes = fc.constantFrom<unknown>(undefined, null, true, false, 0, 1, '', 'x', [], {});

type Stored = typeof stored extends fc.Arbitrary<infer One> ? One : never;
/** A file that has the same value in each attribute that this test does not know: the code may get more rules. */
const toItem = ({ version, recentWrites }: Stored, value: unknown) => {
  const absent = RECENT_WRITE_ATTRIBUTES.map((name) => [name, undefined]);
  const texts = recentWrites.map(({ id, hash, version }, at) => [`w${at + 1}`, `${id}.${hash}.${version}`]);
  const item = aFile({ version, ...Object.fromEntries([...absent, ...texts]) });
  return new Proxy(item, {
    has: () => true,
    get: (record, name) => (name in record ? Reflect.get(record, name) : value),
  });
};

test('while an earlier attempt may still take effect, or the file may have forgotten it, no request is refused', () => {
  const write = fc.record({
    version: fc.integer({ min: 1, max: 6 }),
    precondition: fc.option(fc.array(versions, { maxLength: 2 }), { nil: undefined }),
  });
  const files = fc.option(stored, { nil: undefined });
  const property = fc.property(
    fc.boolean(),
    files,
    attributes,
    write,
    (isRejected, file, value, { version, precondition }) => {
      const found = file?.version ?? 0;
      const mayArrive = file && found < version && (precondition?.some((listed) => listed >= found) ?? true);
      const mayBeForgotten = !file?.recentWrites.some((one) => one.version < version);
      fc.pre(mayArrive || mayBeForgotten);

      const { spaceId, fileId } = aFile();
      const mark = { id: 'this', payloadHash: 'p' };
      const keyed = { spaceId, fileId, mark, version, precondition, userId: 'ada', patch: { summary: 'A' } };
      const item = file && toItem(file, value);
      const written: WriteResult = item ? { kind: 'applied', item } : { kind: 'too-large' };
      const result: WriteResult = isRejected ? { kind: 'rejected', item } : written;
      let outcome: string;
      try {
        outcome = decide(result, keyed, new Error('no response')).kind;
      } catch (error) {
        if (error instanceof InternalError) return;
        outcome = error instanceof ApiError ? error.code : `${error}`;
      }
      // The file has the effect, or the caller must ask again.
      expect(['respond', 'unavailable']).toContain(outcome);
    },
  );
  fc.assert(property, runs(2_000));
});
