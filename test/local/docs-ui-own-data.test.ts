import { afterAll, expect, test } from 'vitest';
import { createDocsFiles } from '#local/docs-ui/docs-files.ts';
import { ownData, writeOwnData } from './support/own-data.ts';
import { bareEnvironment, startProject, temporaryFolder } from './support/processes.ts';

const folder = temporaryFolder();
afterAll(folder.remove);

const examplesIn = (description: string) => {
  const parameters: { name: string; example?: string }[] = Object.values(
    JSON.parse(description).components.parameters,
  );
  return Object.fromEntries(parameters.map(({ name, example }) => [name, example]));
};

test('own data is filled in, but none of its keys', async () => {
  const { url, stop } = await startProject(
    ['--data', writeOwnData(folder.path)],
    bareEnvironment({ SPACE_FILES_STATE_DIR: folder.path }),
  );
  const files = ['/docs', '/docs/initializer.js', '/docs/openapi.json'];
  const [page, initializer, description = ''] = await Promise.all(
    files.map(async (path) => (await fetch(url + path)).text()),
  );
  expect([page, initializer, description].join()).not.toContain('my secret');
  expect(initializer).toContain('const filledIn = null;');
  expect(examplesIn(description)).toStrictEqual({
    spaceId: 'a/b',
    fileId: "it's",
    'x-tenant-id': 't',
    'x-user-id': 'o',
    'if-match': undefined,
  });
  await stop();
});

test('nothing is filled in from data without a file that may be updated', () => {
  const files = createDocsFiles({ ...ownData, files: [] }, { showKeys: true });
  expect(files.get('/docs/initializer.js')?.content).toContain('const filledIn = null;');
  expect(Object.values(examplesIn(String(files.get('/docs/openapi.json')?.content)))).toStrictEqual(
    Array(5).fill(undefined),
  );
});
