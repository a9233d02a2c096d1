import { expect, test } from 'vitest';
import { ApiError } from '#lib/domain/errors.ts';
import { readEvent } from '#lib/http/event.ts';
import { toLogLine } from '#lib/http/log-line.ts';
import { openRequest } from '#lib/http/event.ts';
import { anEvent } from '#test/support/event.ts';

const open = (event: unknown) =>
  openRequest(readEvent(event), {}, { now: () => 1000, newId: () => 'request-1' });
const lineOf = (event: unknown, error?: unknown) =>
  JSON.parse(toLogLine(open(event), { status: 500, error, now: 1025 }));

test('holds a stranger’s id up to 256 characters, on one line', () => {
  const line = toLogLine(open(anEvent({ spaceId: `a\n\u2028"${'s'.repeat(1000)}` })), {
    status: 404,
    now: 1000,
  });
  expect(line).not.toContain('\n');
  expect(JSON.parse(line).spaceId).toBe(`a\n\u2028"${'s'.repeat(252)}`);
});

test('tells of an error that is not ours its kind and place, never its words', () => {
  const error = new TypeError('summary was "secret"\n    at secret (file.ts:1:1)\nsecret');
  const line = lineOf(anEvent(), error);
  expect(line).toMatchObject({
    level: 'error',
    outcome: 'internal-error',
    reason: 'unexpected error',
    ms: 25,
  });
  expect(line.error.name).toBe('TypeError');
  expect(line.error.at[0]).toMatch(/^at .*log-line\.test\.ts/);
  expect(JSON.stringify(line)).not.toContain('secret');
});

test('takes no word of a message for a place, though it looks like one', () => {
  const { error } = lineOf(anEvent(), new Error('x\n    at secret (secret.js:1:1)\n    at secret'));
  expect(error.at[0]).toMatch(/^at .*log-line\.test\.ts/);
  expect(JSON.stringify(error)).not.toContain('secret');
});

test.each([
  ['a string', 'string'],
  [null, 'object'],
])('tells of %j, thrown as it is, its type', (thrown, name) => {
  expect(lineOf(anEvent(), thrown).error).toEqual({ name, at: [] });
});

test('tells of an error without a stack its name', () => {
  const error = Object.assign(new Error('secret'), { stack: undefined });
  expect(lineOf(anEvent(), error).error).toEqual({ name: 'Error', at: [] });
});

test('tells the kind of a failure’s cause', () => {
  const failure = new ApiError('unavailable', { reason: 'deadline passed', cause: new RangeError('secret') });
  expect(lineOf(anEvent(), failure)).toMatchObject({
    outcome: 'unavailable',
    reason: 'deadline passed',
    cause: 'RangeError',
  });
});
