import { expect, test } from 'vitest';
import { allCases, casesFor } from '../cases/all.ts';
import type { Case } from '../cases/case.ts';
import { registerCases } from './harness.ts';

registerCases(casesFor('url'));

const onlyByUrl = ['method', 'path', 'query', 'chunked'];
const onlyAsEvent = ['event', 'members', 'remainingMs'];
test('a case that cannot travel one way says so', () => {
  const partsOf = ({ steps, stored }: Case) => [
    ...steps.flatMap(([sent]) => Object.keys(sent)),
    ...(stored ? ['event'] : []),
  ];
  const having = (cases: readonly Case[], parts: readonly string[]) =>
    cases.filter((one) => partsOf(one).some((part) => parts.includes(part)));
  expect(having([...casesFor('1.0'), ...casesFor('2.0')], onlyByUrl)).toEqual([]);
  expect(having(casesFor('url'), onlyAsEvent)).toEqual([]);
});

test('each case has its own name', () => {
  const names = allCases.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
});
