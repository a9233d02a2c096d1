import { expect, test } from 'vitest';
import { runningProject } from '#test/support/processes.ts';
import type { Alteration } from '../conformance/support/altering-proxy.ts';
import { smoke, smokeAltered } from './support/run-smoke.ts';

const project = runningProject();

test('a burst is fine when some of it is refused and the rest served', async () => {
  let count = 0;
  const throttled: Alteration = {
    answer: (answer) => {
      count += answer.text.includes('x-user-id is required') ? 1 : 0;
      const tooMany = answer.text.includes('x-user-id is required') && count > 5;
      return tooMany ? { ...answer, status: 429, text: '{"message":"Too Many Requests"}' } : answer;
    },
  };
  const { code, stdout } = await smokeAltered(project.url, throttled, '--burst', '20');
  expect(stdout).toMatch(
    /ok {4}API Gateway itself refuses what comes too fast \(\d+ of 20 were answered 429\)/,
  );
  expect(code).toBe(0);
});

test('a burst that nobody stops is a failure', async () => {
  const { code, stdout } = await smoke(project.url, '--burst', '20');
  expect(stdout).toContain(`FAIL  API Gateway itself refuses what comes too fast
        sent      20 requests without x-user-id, 50 at a time
        expected  some 429; {"message":"Too Many Requests"}, the rest 400 for a missing x-user-id
        got       0 of 20 were answered 429
`);
  expect(code).toBe(1);
});
