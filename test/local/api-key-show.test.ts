import { describe, expect, test } from 'vitest';
import { apiKeyCommand } from './support/api-key-command.ts';
import { runningProject } from './support/running-project.ts';

const project = runningProject();
const { apiKey, identify } = apiKeyCommand(project.env);

describe('with a running npm start', () => {
  const ofGlobex = `key id   key-globex
tenant   globex
name     Demo editor of another tenant
roles    editor
scope    PRODUCT
created  2026-01-01T00:00:00Z
expires  never
state    active
`;

  test('an id tells whose key it is', async () => {
    expect(await apiKey('show', 'key-globex')).toStrictEqual({ code: 0, stdout: ofGlobex, stderr: '' });
  });

  test.each([
    ['a key that came from stdin is told by its hash', 'demo-globex-key\n', 0, ofGlobex, ''],
    [
      'a key that is not known is told neither, nor repeated',
      'demo-globex-ke',
      1,
      '',
      'space-files-dev-api-keys knows no such API key: it is not one, not whole, or expired and removed.\n',
    ],
    ['nothing from stdin is one sentence', '\n', 1, '', 'No API key came from stdin.\n'],
  ])('%s', (_, input, code, stdout, stderr) => {
    expect(identify(input)).toStrictEqual({ code, stdout, stderr });
  });
});
