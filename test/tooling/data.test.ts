import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { UsageError } from '#tools/cli.ts';
import { type Data, loadData, readData } from '#tools/dev-server/data.ts';
import { projectRoot } from '#tools/project.ts';
import { temporaryFolder } from '../support/processes.ts';
import { openTables } from '../support/tables.ts';

const folder = temporaryFolder();
afterAll(folder.remove);
afterEach(() => void vi.useRealTimers());
const path = join(folder.path, 'my.json');
const read = (content: string) => {
  writeFileSync(path, content);
  return readData(path);
};

const apiKey = { key: 'secret', tenantId: 't', scope: 'PRODUCT', roles: ['editor'] };
const space = { tenantId: 't', spaceId: 's', ownerId: 'o', visibility: 'public' };
const file = { spaceId: 's', fileId: 'f', language: 'en', domain: 'd' };

test('the demo data is valid', () => {
  const data = readData(join(projectRoot, 'tools/dev-server/demo-data.json'));
  expect(Object.values(data).map((list) => list.length)).toStrictEqual([7, 3, 4]);
});

test('lists may be omitted, other attributes are kept, and tags default to none', () => {
  expect(
    read(`\uFEFF${JSON.stringify({ files: [{ ...file, summary: null, storageKey: 'x' }] })}`),
  ).toStrictEqual({
    apiKeys: [],
    spaces: [],
    files: [{ ...file, summary: null, storageKey: 'x', tags: [] }],
  });
});

const expected = (type: string, received: string) => `Invalid input: expected ${type}, received ${received}`;
const badKey = 'Expected 1 to 512 ASCII characters, without a comma';
const badDetails = 'Expected all of originalName, chunksCount, charactersCount, or none';
const badTags = [{ key: 'k', value: 'v', aiExtracted: 'no' }];

test.each<[string, object, object, string]>([
  ['apiKeys[0].key', apiKey, { key: undefined }, expected('string', 'undefined')],
  ['apiKeys[0].key', apiKey, { key: 'a,b' }, badKey],
  ['apiKeys[0].key', apiKey, { key: ' a' }, badKey],
  ['apiKeys[0].roles', apiKey, { roles: 'editor' }, expected('array', 'string')],
  ['apiKeys[0].expiresAt', apiKey, { expiresAt: '2030' }, expected('number', 'string')],
  ['spaces[0].visibility', space, { visibility: 'x' }, 'Invalid option: expected one of "private"|"public"'],
  ['files[0].summary', file, { summary: 3 }, expected('string', 'number')],
  ['files[0].tags[0].aiExtracted', file, { tags: badTags }, expected('boolean', 'string')],
  ['files[0]', file, { chunksCount: 1 }, badDetails],
  ['files[0].version', file, { version: '1' }, expected('number', 'string')],
])('%s is rejected: %j with %j', (place, record, change, problem) => {
  const [list = ''] = place.split('[');
  const content = JSON.stringify({ [list]: [{ ...record, ...change }] });
  expect(() => read(content)).toThrow(new UsageError(`${path}: ${place}: ${problem}.`));
});

test.each([
  ['{"keys":[]}', ': Unrecognized key: "keys".'],
  ['[]', `: ${expected('object', 'array')}.`],
  ['{"files":{}}', `: files: ${expected('array', 'object')}.`],
  // Without quoting the text, which may be a key.
  ['{"apiKeys":[{"key":"secret",}]}', ' is not valid JSON at position 28 (line 1 column 29).'],
  ['secret', ' is not valid JSON.'],
])('%s is rejected', (content, problem) => {
  expect(() => read(content)).toThrow(new UsageError(path + problem));
});

test('records are stored once: keys as their hash, files with version and requestId', async () => {
  const { client, config, everything } = await openTables('tooling-data');
  const { apiKeysTable: API_KEYS_TABLE, spacesTable: SPACES_TABLE, filesTable: FILES_TABLE } = config;
  const load = (data: Data) => loadData(client, { API_KEYS_TABLE, SPACES_TABLE, FILES_TABLE }, data);
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-12T19:03:58.123Z') });
  const named = { ...file, fileId: 'named', tags: [], version: 7, requestId: 'request-7' };
  const given = {
    apiKeys: [{ ...apiKey, key: 'abc' }],
    spaces: [],
    files: [{ ...file, tags: [], summary: 'first' }, named],
  };
  await load(given);
  const stored = await everything();
  expect(stored).toStrictEqual([
    [
      {
        // printf abc | sha256sum
        keyHash: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
        keyId: 'key-ba7816bf8f01',
        tenantId: 't',
        scope: 'PRODUCT',
        roles: ['editor'],
        createdAt: 1_773_342_238,
      },
    ],
    [],
    [
      {
        ...file,
        summary: 'first',
        tags: [],
        version: 1_773_342_238_123_000,
        requestId: expect.stringMatching(
          /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
        ),
      },
      named,
    ],
  ]);
  await load({ ...given, files: [{ ...file, tags: [], summary: null }] });
  expect(await everything()).toStrictEqual(stored);
  const spaces = [{ ...space, spaceId: 'x'.repeat(1025), visibility: 'public' as const }];
  await expect(load({ apiKeys: [], spaces, files: [] })).rejects.toThrow(
    /^spaces\[0\] could not be stored: /,
  );
});
