import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { expectProperty } from '#test/proof/model/property.ts';
import { report, scale } from '#test/proof/support/run.ts';
import { anEvent, aRestEvent } from '#test/support/event.ts';
import { aBasicFile, anApiKey, aSpace, NOW } from '#test/support/given.ts';
import { startService } from '#test/support/service.ts';
import { type Backend, sha256 } from './engines/backend.ts';
import { differencesBetween } from './engines/differences.ts';
import { openEngineTables } from './engines/engine-tables.ts';
import { openMemoryTables } from './engines/memory-tables.ts';

const FILE = 'test/proof/access/ids.proof.ts';

/** Ids that a joined key would confuse: of delimiters, and prefixes of each other. */
const id = fc.string({
  unit: fc.constantFrom('#', '|', ':', '/', ',', 'a', 'b'),
  minLength: 1,
  maxLength: 5,
});
const ids = fc
  .uniqueArray(id, { minLength: 1, maxLength: 2 })
  .map((some) => [...new Set(some.flatMap((text) => [text, text.slice(0, -1), `${text}#`]))].filter(Boolean));

const tenants = ['a', 'a#b'];
const { key: _, ...record } = anApiKey();

const fill = async (
  { put }: Backend,
  names: readonly string[],
  withFile: (s: string, f: string) => boolean,
) => {
  for (const tenantId of tenants)
    await put('apiKeys', { ...record, keyHash: sha256(`key of ${tenantId}`), tenantId });
  for (const spaceId of names) {
    await put('spaces', aSpace({ tenantId: 'a', spaceId }));
    for (const fileId of names)
      if (withFile(spaceId, fileId)) await put('files', aBasicFile({ spaceId, fileId }));
  }
};

const events = [
  anEvent,
  (at: { spaceId: string; fileId: string; headers: Record<string, string> }) =>
    aRestEvent({ ...at, spaceId: encodeURIComponent(at.spaceId), fileId: encodeURIComponent(at.fileId) }),
];

let sent = 0;

/** Sends one request for a file; gives the status and every record that changed. */
const patch = async (tables: Backend, tenantId: string, spaceId: string, fileId: string, format: number) => {
  sent += 1;
  const before = await tables.everything();
  const headers = { 'x-api-key': `key of ${tenantId}`, 'x-tenant-id': tenantId };
  const event = events[format % 2]?.({ spaceId, fileId, headers });
  const { statusCode } = await startService(tables, { now: () => NOW + sent }).send(event);
  return { statusCode, changed: differencesBetween(before, await tables.everything()) };
};

const nameOf = (...key: string[]) => `files${JSON.stringify(key)}`;

let engine: Backend;
beforeAll(async () => {
  engine = await openEngineTables('ids');
});

const pairs = fc.tuple(ids, fc.nat(), fc.nat(), fc.nat({ max: 1 })).map(([names, a, b, format]) => ({
  names,
  spaceId: names[a % names.length] ?? '',
  fileId: names[b % names.length] ?? '',
  format,
}));

test.each([
  ['in memory', 300, async () => openMemoryTables()],
  ['on the engine', 15, async () => engine],
])(
  'of ids made of delimiters and of each other, only the named file changes, %s',
  async (where, runs, open) => {
    const property = fc.asyncProperty(pairs, async ({ names, spaceId, fileId, format }) => {
      const tables = await open();
      await fill(tables, names, () => true);
      const own = await patch(tables, 'a', spaceId, fileId, format);
      expect(own).toEqual({ statusCode: 200, changed: [nameOf(spaceId, fileId)] });
      const others = await patch(tables, 'a#b', spaceId, fileId, format);
      expect(others).toEqual({ statusCode: 404, changed: [] });
    });
    await expectProperty(property, { file: FILE, runs: runs * scale });
    report(`ids that could collide, ${where}`, { cases: runs * scale, 'other items changed': 0 });
  },
);

test('the two ids of a path in each other’s place never reach another file', async () => {
  const property = fc.asyncProperty(pairs, async ({ names, spaceId, fileId, format }) => {
    fc.pre(spaceId !== fileId);
    const both = openMemoryTables();
    await fill(both, names, () => true);
    expect((await patch(both, 'a', fileId, spaceId, format)).changed).toEqual([nameOf(fileId, spaceId)]);
    const one = openMemoryTables();
    await fill(one, names, (space, file) => space === spaceId && file === fileId);
    expect(await patch(one, 'a', fileId, spaceId, format)).toEqual({ statusCode: 404, changed: [] });
  });
  await expectProperty(property, { file: FILE, runs: 300 * scale });
  report('path ids swapped', { cases: 300 * scale, 'other items changed': 0 });
});
