import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '#test/support/processes.ts';
import { measureRun } from '../../bench/process.ts';
import { checkedRequests } from '../../bench/requests.ts';
import { coldStart, ratioOf, regressionsOf, warmRequest } from '../../bench/results.ts';

/** The file of a variant that gives these responses one after the other. */
const variantOf = (responses: readonly { readonly status: number; readonly body?: unknown }[]) => {
  const folder = temporaryFolder();
  onTestFinished(folder.remove);
  const file = join(folder.path, 'handler.cjs');
  const replies = responses.map(({ status, body }) => ({ statusCode: status, body: JSON.stringify(body) }));
  writeFileSync(
    file,
    `const replies = ${JSON.stringify(replies)}; exports.handler = async () => replies.shift();`,
  );
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

test.each([
  ['each round', { ours: [50, 500, 60], expert: [100, 1000, 100] }, [0.5, 0.5, 0.55]],
  ['one round, which has no spread', { ours: [150], expert: [200] }, [0.75, 0.75, 0.75]],
  ['the rounds that both have, not one of ours alone', { ours: [50, 60], expert: [100] }, [0.5, 0.5, 0.5]],
])('ratioOf gives the median and the quartiles of %s', (_, figure, [median, lower, upper]) => {
  expect(ratioOf(figure, 'ours', 'expert')).toEqual({ median, lower, upper });
});

test.each([[undefined], [{ ours: [1] }], [{ expert: [1] }]])('ratioOf gives nothing for %j', (figure) => {
  expect(ratioOf(figure, 'ours', 'expert')).toBeUndefined();
});

const published = {
  [coldStart]: { ours: [102, 110, 104], expert: [201, 200, 200] },
  [warmRequest]: { ours: [5], expert: [10] },
};

test.each([
  ['passes 3 % more than the published start', coldStart, { ours: [1_050], expert: [2_000] }, []],
  [
    'reports 4 % more than the published start',
    coldStart,
    { ours: [1_064], expert: [2_000] },
    ["ours: cold start: ×0.532 of the expert's, published are ×0.510."],
  ],
  [
    'reports 21 % more than the published warm request',
    warmRequest,
    { ours: [60.5], expert: [100] },
    ["ours: warm request: ×0.605 of the expert's, published are ×0.500."],
  ],
  [
    'reports an unpublished start',
    coldStart,
    { new: [102], expert: [200] },
    ["new: cold start: ×0.510 of the expert's, published are ×NaN."],
  ],
])('regressionsOf %s', (_, name, figure, sentences) => {
  expect(regressionsOf({ [name]: figure }, published)).toEqual(sentences);
});
