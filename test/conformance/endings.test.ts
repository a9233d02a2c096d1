import { expect, test } from 'vitest';
import { runningProject } from '#test/support/processes.ts';
import type { Result } from './runner/result.ts';
import { namesOf, runAltered } from './support/run-altered.ts';

const project = runningProject();

const title = 'Several updates';
const names = namesOf(title);
const told = (results: readonly Result[]) =>
  results
    .filter(({ group }) => group === title)
    .map(({ outcome }) => (outcome.kind === 'not run' ? outcome.reason : outcome.kind));

test('a run that is stopped judges no more cases, and puts the files back', async () => {
  const controller = new AbortController();
  const { results, ending } = await runAltered(project.url, {
    titles: [title],
    alteration: {},
    afterEach: ({ length }) => length === 2 && controller.abort(),
    signal: controller.signal,
  });
  const rest = names.slice(2).map(() => 'the run was stopped');
  expect(told(results)).toStrictEqual(['passed', 'passed', ...rest]);
  expect(ending).toStrictEqual({ isComplete: false, canPeek: true, filesUsed: 3, leftovers: [] });
});

test('a service that goes away ends the run, and what is left behind is told', async () => {
  let isAway = false;
  const { results, ending } = await runAltered(project.url, {
    titles: [title],
    alteration: { answer: (answer) => ({ ...answer, status: isAway ? 0 : answer.status }) },
    afterEach: () => {
      isAway = true;
    },
  });
  expect(told(results)).toStrictEqual([
    'passed',
    'failed',
    'failed',
    'failed',
    'the service no longer answers',
  ]);
  expect(ending).toStrictEqual({
    isComplete: false,
    canPeek: true,
    filesUsed: 3,
    leftovers: [
      'files.detailed still has to be given back {"summary":"How the first week goes.","documentKind":"guide"}',
      'files.basic still has to be given back {"summary":"Who answers which question.","documentKind":"contact list"}',
    ],
  });
});

test('a refusal that writes all the same is found', async () => {
  const { results } = await runAltered(project.url, {
    titles: ['Names of fields'],
    alteration: {
      request: (given) => {
        const text = Buffer.from(given.body).toString().replace(',"x":"B"', '');
        return { ...given, body: Buffer.from(text) };
      },
      answer: (answer, { body }) => {
        if (!Buffer.from(body).toString().includes(',"x":"B"')) return answer;
        const message = 'Unknown field "x"; editable fields are summary, documentKind';
        return { ...answer, status: 400, text: JSON.stringify({ message }) };
      },
    },
  });
  expect(results.filter(({ outcome }) => outcome.kind !== 'passed')).toMatchObject([
    {
      name: 'The field "x" is unknown',
      outcome: {
        failure: {
          sent: 'PATCH /v1/spaces/{spaces.public}/files/{files.detailed.id}; {"summary":"A","x":"B"}',
          expected: 'a file that is as it was before the refusal',
          got: 'a file with another etag',
        },
      },
    },
  ]);
});

test('without an If-Match that works, the run says that refusals were not looked behind', async () => {
  const { ending } = await runAltered(project.url, {
    titles: ['API key'],
    alteration: { answer: ({ headers: { etag: _, ...headers }, ...rest }) => ({ ...rest, headers }) },
  });
  expect(ending).toMatchObject({ canPeek: false, isComplete: true });
});
