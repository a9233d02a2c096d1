import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readData } from '#local/data/read-data.ts';
import { projectRoot } from '#local/project.ts';
import { temporaryFolder } from './support/processes.ts';

const folder = temporaryFolder();
afterAll(folder.remove);
const file = join(folder.path, 'my.json');

const problemOf = async (text: string) => {
  writeFileSync(file, text);
  const error: unknown = await readData(file).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return error instanceof Error ? `${error.name}: ${error.message.replace(file, 'my.json')}` : undefined;
};

const apiKey = { key: 'secret', tenantId: 't', scope: 'PRODUCT', roles: ['editor'] };
const space = { tenantId: 't', spaceId: 's', ownerId: 'o', visibility: 'public' };
const aFile = { spaceId: 's', fileId: 'f', language: 'en', domain: 'd' };

test('the demo data is valid', async () => {
  const data = await readData(join(projectRoot, 'local', 'demo-data.json'));
  expect({ keys: data.apiKeys.length, spaces: data.spaces.length, files: data.files.length }).toStrictEqual({
    keys: 7,
    spaces: 3,
    files: 4,
  });
});

test('every list may be left out, unknown attributes are kept, tags are none where none are named', async () => {
  writeFileSync(file, `\uFEFF${JSON.stringify({ files: [{ ...aFile, summary: null, storageKey: 'x' }] })}`);
  expect(await readData(file)).toStrictEqual({
    apiKeys: [],
    spaces: [],
    files: [{ ...aFile, summary: null, storageKey: 'x', tags: [] }],
  });
});

test.each([
  [{ apiKeys: [{ ...apiKey, key: undefined }] }, 'apiKeys[0].key is required'],
  [
    { apiKeys: [{ ...apiKey, key: 'a,b' }] },
    'apiKeys[0].key must be 1 to 512 printable ASCII characters without a comma and without a space at either end',
  ],
  [{ apiKeys: [{ ...apiKey, roles: 'editor' }] }, 'apiKeys[0].roles must be a list of strings'],
  [
    { apiKeys: [{ ...apiKey, expiresAt: '2030-01-01' }] },
    'apiKeys[0].expiresAt must be a whole number of epoch seconds',
  ],
  [{ apiKeys: [apiKey, apiKey] }, 'apiKeys[1] has the same key as apiKeys[0]'],
  [{ spaces: [{ ...space, visibility: 'open' }] }, 'spaces[0].visibility must be "private" or "public"'],
  [{ spaces: [{ ...space, ownerId: '' }] }, 'spaces[0].ownerId must not be empty'],
  [{ spaces: [space, 3] }, 'spaces[1] must be an object'],
  [{ spaces: [space, space] }, 'spaces[1] has the same tenantId and spaceId as spaces[0]'],
  [{ files: {} }, 'files must be a list'],
  [{ files: [{ ...aFile, summary: 3 }] }, 'files[0].summary must be a string or null'],
  [
    { files: [{ ...aFile, tags: [{ key: 'k', value: 'v', aiExtracted: 'no' }] }] },
    'files[0].tags[0].aiExtracted must be true or false',
  ],
  [
    { files: [{ ...aFile, chunksCount: 1 }] },
    'files[0] must have all of originalName, chunksCount, charactersCount or none of them',
  ],
  [{ files: [aFile, aFile] }, 'files[1] has the same spaceId and fileId as files[0]'],
  [{ keys: [] }, 'unknown list "keys"; known lists are apiKeys, spaces, files'],
  [[], 'must be an object with the lists apiKeys, spaces, files'],
])('%j is refused by its place', async (content, problem) => {
  expect(await problemOf(JSON.stringify(content))).toBe(`Complaint: my.json: ${problem}.`);
});

test('text that is not JSON is refused without quoting it', async () => {
  expect(await problemOf('{"apiKeys":[{"key":"secret",}]}')).toBe(
    'Complaint: my.json is not valid JSON (line 1 column 29).',
  );
  expect(await problemOf('secret')).toBe('Complaint: my.json is not valid JSON.');
});

test('a file that is not there is named', async () => {
  await expect(readData('/nowhere/my.json')).rejects.toThrow(
    'The data file /nowhere/my.json does not exist.',
  );
});
