import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run, runningProject } from '#test/support/processes.ts';
import { allGroups } from './cases/all.ts';
import { lawNames } from './runner/law-book.ts';
import { startAlteringProxy } from './support/altering-proxy.ts';

const project = runningProject();

const conformance = (...args: string[]) =>
  run(['--import', './tools/node-version.mjs', 'test/conformance/run.ts', ...args]);

const present = async (fileId: string, documentKind: string) => {
  const response = await fetch(`${project.url}/v1/spaces/handbook/files/${fileId}`, {
    method: 'PATCH',
    headers: {
      'content-type': 'application/json',
      'x-api-key': 'demo-editor-key',
      'x-tenant-id': 'acme',
      'x-user-id': 'grace',
    },
    body: JSON.stringify({ documentKind }),
  });
  return response.json();
};

test('this service conforms: every case passes, none is skipped, and its files are as before', async () => {
  const junit = join(project.path, 'junit.xml');
  const { code, stdout, stderr } = await conformance('--url', project.url, '--junit', junit);
  const total = allGroups.reduce((sum, { cases }) => sum + cases.length, 0) + lawNames.length;
  expect(stdout).toMatch(
    new RegExp(
      `\n${total} passed in \\d+\\.\\d s\nThe 3 files have their summary and documentKind back\\.\n$`,
    ),
  );
  expect({ code, stderr }).toStrictEqual({ code: 0, stderr: '' });
  expect(stdout).not.toMatch(/fail|skip|demo-\w+-key/i);
  expect(readFileSync(junit, 'utf8')).toContain(
    `<testsuites name="conformance" tests="${total}" failures="0" errors="0" skipped="0"`,
  );
  expect(await present('3f2b8c1e-6a4d-4c57-9e0f-1b7a2d9c5e80', 'guide')).toMatchObject({
    summary: 'How the first week goes.',
  });
  expect(await present('a71d0c52-8f3e-4b69-b2d4-5c6e7f809112', 'contact list')).toMatchObject({
    summary: 'Who answers which question.',
  });
}, 120_000);

test('a service below a path prefix is reached', async () => {
  const proxy = await startAlteringProxy(project.url, {}, '/dev');
  const { code, stdout } = await conformance('--url', `${proxy.url}/`, '--only', 'last writer');
  await proxy.close();
  expect({ code, stdout: stdout.replace(/\d+\.\d s/, 'N s') }).toStrictEqual({
    code: 0,
    stdout: `${proxy.url}/ is held to docs/contract.md

ok    Several updates: 2 passed

2 passed in N s
The file has its summary and documentKind back.
`,
  });
});

test('what failed is told with what was sent, expected and got, and no key is shown', async () => {
  const proxy = await startAlteringProxy(project.url, {
    answer: ({ text, ...rest }) => ({ ...rest, text: text.replace('Invalid', 'Bad demo-editor-key:') }),
  });
  const { code, stdout } = await conformance('--url', proxy.url, '--only', 'another name');
  await proxy.close();
  expect({ code, stdout: stdout.replace(/\d+\.\d s/, 'N s') }).toStrictEqual({
    code: 1,
    stdout: `${proxy.url}/ is held to docs/contract.md

FAIL  API key: 1 failed
       A valid API key under another name is no key
         sent      PATCH /v1/spaces/{spaces.public}/files/{files.detailed.id}; no x-api-key; authorization: {apiKeys.editor}; {"summary":"Must not be stored."}
         expected  401; {"message":"Invalid API Key"}
         got       401; {"message":"Bad {apiKeys.editor}: API Key"}

1 failed in N s
The file has its summary and documentKind back.
`,
  });
});

test('cases for which the world lacks something are skipped by name, with the reason', async () => {
  const world = join(project.path, 'world.json');
  const small = {
    tenantId: 'acme',
    userId: 'grace',
    apiKeys: { editor: 'demo-editor-key' },
    spaces: { public: 'handbook' },
    files: { detailed: { id: '3f2b8c1e-6a4d-4c57-9e0f-1b7a2d9c5e80', documentKind: 'guide' } },
  };
  writeFileSync(world, JSON.stringify(small));
  const args = ['--url', project.url, '--world', world, '--only', 'API key is refused'];
  const { code, stdout } = await conformance(...args);
  expect({ code, stdout: stdout.replace(/\d+\.\d s/, 'N s') }).toStrictEqual({
    code: 0,
    stdout: `${project.url}/ is held to docs/contract.md

skip  API key: 3 passed, 2 skipped
       skipped: A revoked API key is refused: the world has nothing for {apiKeys.revoked}
       skipped: An expired API key is refused: the world has nothing for {apiKeys.expired}

3 passed, 2 skipped in N s
The file has its summary and documentKind back.
`,
  });
});
