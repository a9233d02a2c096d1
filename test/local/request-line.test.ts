import { expect, test } from 'vitest';
import { toRequestLine } from '#local/start/request-line.ts';
import { usesColour } from '#local/terminal.ts';

const answered = { method: 'PATCH', path: '/v1/spaces/a/files/1', status: 200, ms: 12.4, outcome: 'updated' };

test('a request is one line: method, path, status, time and outcome', () => {
  expect(toRequestLine(answered, { colour: false })).toBe('PATCH /v1/spaces/a/files/1  200  12 ms  updated');
});

test.each([
  [200, 32],
  [404, 33],
  [503, 31],
])('on a terminal the status %i has its colour', (status, code) => {
  expect(toRequestLine({ ...answered, status }, { colour: true })).toBe(
    `PATCH /v1/spaces/a/files/1  \u001b[${code}m${status}\u001b[0m  \u001b[2m12 ms\u001b[0m  updated`,
  );
});

test('nobody sends a terminal anything but text, and a long path is cut', () => {
  const path = `/${'x'.repeat(200)}`;
  expect(
    toRequestLine({ ...answered, path, outcome: 'Unknown field "\u001b[2J\n"' }, { colour: false }),
  ).toBe(`PATCH /${'x'.repeat(99)}…  200  12 ms  Unknown field "?[2J?"`);
});

test.each([
  [{ isTTY: true }, {}, true],
  [{ isTTY: true }, { NO_COLOR: '' }, true],
  [{ isTTY: true }, { NO_COLOR: '1' }, false],
  [{ isTTY: false }, {}, false],
  [{}, {}, false],
])('colours on %j with %j: %s', (stream, env, expected) => {
  expect(usesColour(stream, env)).toBe(expected);
});
