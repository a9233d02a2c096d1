import { expect, test } from 'vitest';
import { FILE_ID } from '#test/support/fixtures.ts';
import { aCase, accepted } from './cases/case.ts';
import { fixture, swapCase } from './cases/fixture.ts';
import { runSteps } from './steps.ts';

// Of a deployment, they are secret, and its smoke test is run where others can read the output.
test('the error of a failed case shows what was sent, and no API key', async () => {
  const { editor, revoked } = fixture.apiKeys;
  const headers = { 'x-api-key': swapCase(editor), authorization: `Bearer ${revoked}x` };
  const failed = async () => Promise.reject(new Error('the response'));
  const oneCase = aCase('A title', [[{ headers, body: 'A' }, accepted]]);
  await expect(runSteps(oneCase, failed)).rejects.toThrow(
    new Error(`the response

request 1 of 1:
  PATCH /v1/spaces/handbook/files/${FILE_ID}
  headers: { 'x-api-key': '{apiKeys.editor}', authorization: 'Bearer {apiKeys.revoked}x' }
  body: 'A'`),
  );
});
