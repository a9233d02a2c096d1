import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { bareEnvironment, run, temporaryFolder } from '#test/support/processes.ts';
import { projectRoot } from '#tools/project.ts';
import packageJson from '../../package.json' with { type: 'json' };

const folder = temporaryFolder();
afterAll(folder.remove);
/** Runs the program of release.yml in a folder with some files. */
const releaseNotes = async (files: Readonly<Record<string, string>>, ...args: string[]) => {
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder.path, path), text);
  const program = join(projectRoot, 'tools/release-notes.ts');
  return run([program, ...args], bareEnvironment(), folder.path);
};
const changelog = (heading: string, notes = '- Something new.\n') =>
  `# Changelog\n\n${heading}\n\n${notes}\n## 1.1.0 - 2026-11-01\n\n- Something old.\n`;
const ready = {
  'package.json': '{"version": "1.2.0"}',
  'openapi.yaml': 'info:\n  version: 1.2.0\n',
  'CHANGELOG.md': changelog('## 1.2.0 - 2026-11-30'),
};

test('a release has the section of its version as notes', async () => {
  expect(await releaseNotes(ready, 'v1.2.0')).toEqual({ code: 0, stdout: '- Something new.\n', stderr: '' });
});

const undated = 'Write the date of the release into its heading, like "## 1.2.0 - 2026-11-30".';
test.each<[title: string, tag: string, files: Partial<typeof ready>, ...problems: string[]]>([
  [
    'a version that is not yet released',
    'v1.2.0',
    { 'CHANGELOG.md': changelog('## 1.2.0 - not yet released') },
    `CHANGELOG.md has "## 1.2.0 - not yet released". ${undated}`,
  ],
  [
    'a section without a date',
    'v1.2.0',
    { 'CHANGELOG.md': changelog('## 1.2.0') },
    `CHANGELOG.md has "## 1.2.0". ${undated}`,
  ],
  [
    'a version without a section',
    'v1.2.0',
    { 'CHANGELOG.md': changelog('## 1.2.0-rc.1 - 2026-11-30') },
    'CHANGELOG.md has no section for 1.2.0.',
  ],
  [
    'a section without notes',
    'v1.2.0',
    { 'CHANGELOG.md': changelog('## 1.2.0 - 2026-11-30', '') },
    'In CHANGELOG.md, the section of 1.2.0 is empty.',
  ],
  [
    'another version of the service',
    'v1.2.0',
    { 'package.json': '{"version": "1.1.0"}' },
    'package.json has the version 1.1.0.',
  ],
  [
    'another version of the API description',
    'v1.2.0',
    { 'openapi.yaml': 'info:\n  version: 1.1.0\n' },
    'openapi.yaml has the version 1.1.0.',
  ],
  [
    'a tag of another version',
    'v1.3.0',
    {},
    'package.json has the version 1.2.0.',
    'openapi.yaml has the version 1.2.0.',
    'CHANGELOG.md has no section for 1.3.0.',
  ],
])('%s is not released', async (_, tag, files, ...problems) => {
  const stderr = `${tag} cannot be released:\n${problems.join('\n')}\n`;
  expect(await releaseNotes({ ...ready, ...files }, tag)).toEqual({ code: 1, stdout: '', stderr });
});

test.each([[[]], [['1.2.0']], [['v1.2.0', 'v1.3.0']]])('the arguments %j get the usage', async (args) => {
  const { code, stdout, stderr } = await releaseNotes(ready, ...args);
  expect([code, stdout, stderr.split('\n')[0]]).toEqual([1, '', 'Usage: node tools/release-notes.ts TAG']);
});

test('this project can be released once its section in CHANGELOG.md has a date', async () => {
  const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8');
  const files = Object.fromEntries(Object.keys(ready).map((path) => [path, read(path)]));
  const dated = read('CHANGELOG.md').replace(' - not yet released\n', ' - 2026-11-30\n');
  const result = await releaseNotes({ ...files, 'CHANGELOG.md': dated }, `v${packageJson.version}`);
  expect(result).toEqual({ code: 0, stdout: expect.stringMatching(/\S/), stderr: '' });
});
