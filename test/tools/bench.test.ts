import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '#test/support/processes.ts';
import { projectRoot } from '#tools/project.ts';
import { measureRun } from '../../bench/process.ts';
import { checkedRequests } from '../../bench/requests.ts';
import { coldStart, ratioOf, readResults, regressionsOf, resultsFile, toJson } from '../../bench/results.ts';

/** The file of a variant that gives these responses one after the other. */
const variantOf = (responses: readonly { readonly status: number; readonly body?: unknown }[]) => {
  const folder = temporaryFolder();
  onTestFinished(folder.remove);
  const file = join(folder.path, 'handler.cjs');
  const given = responses.map(({ status, body }) => ({ statusCode: status, body: JSON.stringify(body) }));
  writeFileSync(file, `const given = ${JSON.stringify(given)}; exports.handler = async () => given.shift();`);
  return file;
};

test.each([
  ['status', { status: 500, body: { message: 'File not found' } }],
  ['body', { status: 404, body: { message: 'No such file' } }],
])('measureRun reports the request and both responses if a %s is wrong', async (_, last) => {
  const variant = variantOf([...checkedRequests.slice(0, -1), last]);
  const message = `file-not-found: expected 404 {"message":"File not found"}, got ${last.status} {"message":`;
  await expect(measureRun(variant, {}, { requests: checkedRequests })).rejects.toThrow(
    message + JSON.stringify(last.body.message),
  );
});

test('measureRun gives the wall time of each measured request, and of no other', async () => {
  const requests = [{ name: 'update', event: '{}', status: 200 }];
  const variant = variantOf(Array.from({ length: 7 }, () => ({ status: 200, body: {} })));
  const { wallMs } = await measureRun(variant, {}, { requests, warmUp: 2, count: 5 });
  expect(wallMs).toEqual(Array.from({ length: 5 }, () => expect.any(Number)));
});

test.each([
  ['each round', { ours: [50, 500, 60], plain: [100, 1000, 100] }, [0.5, 0.5, 0.55]],
  ['one round, which has no spread', { ours: [150], plain: [200] }, [0.75, 0.75, 0.75]],
  ['the rounds that both have, not one of ours alone', { ours: [50, 60], plain: [100] }, [0.5, 0.5, 0.5]],
])('ratioOf gives the median and the quartiles of %s', (_, figure, [median, lower, upper]) => {
  expect(ratioOf(figure, 'ours', 'plain')).toEqual({ median, lower, upper });
});

test.each([[undefined], [{ ours: [1] }], [{ plain: [1] }]])('ratioOf gives nothing for %j', (figure) => {
  expect(ratioOf(figure, 'ours', 'plain')).toBeUndefined();
});

const published = { [coldStart]: { ours: [102, 110, 104], plain: [201, 200, 200] } };
const sentence = (now: string, before: string) =>
  `The cold start of ours takes ${now} of the plain handler's instructions, published are ${before}.`;

test.each([
  ['passes 3 % more than the published ratio', published, { ours: [1_050], plain: [2_000] }, []],
  [
    'reports 4 % more than the published ratio',
    published,
    { ours: [1_064], plain: [2_000] },
    [sentence('×0.532', '×0.510')],
  ],
  [
    'reports an unpublished start',
    { [coldStart]: { plain: [200] } },
    { ours: [102], plain: [200] },
    [sentence('×0.510', '×NaN')],
  ],
])('regressionsOf %s', (_, before, figure, sentences) => {
  expect(regressionsOf({ [coldStart]: figure }, before)).toEqual(sentences);
});

test('toJson writes results with one line per list', () => {
  const results = readResults();
  expect(toJson(results)).toBe(readFileSync(resultsFile, 'utf8'));
});

test('docs/performance.md shows the published run', () => {
  const page = readFileSync(join(projectRoot, 'docs', 'performance.md'), 'utf8');
  expect(page).toContain(`\n${readResults().run}\n`);
});
