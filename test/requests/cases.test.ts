import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { errorResponses } from '#lib/http/responses.ts';
import { projectRoot } from '#tools/project.ts';
import { allCases, casesFor } from './cases/all.ts';
import type { Case } from './cases/case.ts';

test('each case has its own name', () => {
  const names = allCases.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
});

test('each error code has a case', () => {
  const codes = new Set(allCases.flatMap(({ steps }) => steps.map(([, { code }]) => code)));
  expect(codes).toEqual(new Set([undefined, ...Object.keys(errorResponses)]));
});

test('each event of an update in events/ is a case', () => {
  const names = readdirSync(join(projectRoot, 'events')).map((name) => `events/${name}`);
  const isUpdate = (name: string) => /"PATCH[" ]/.test(readFileSync(join(projectRoot, name), 'utf8'));
  expect(allCases.flatMap(({ name }) => (name.startsWith('events/') ? [name] : [])).toSorted()).toEqual(
    names.filter(isUpdate).toSorted(),
  );
});

const onlyByUrl = ['method', 'path', 'query', 'chunked'];
const onlyAsEvent = ['event', 'members', 'remainingMs'];
/** Parts of what is expected. */
const onlyOfUrl = ['gateway', 'or'];
test('a case that cannot travel one way says so', () => {
  const partsOf = ({ steps, stored }: Case) => [
    ...steps.flatMap(([sent, expected]) => [...Object.keys(sent), ...Object.keys(expected)]),
    ...(stored ? ['event'] : []),
  ];
  const having = (cases: readonly Case[], parts: readonly string[]) =>
    cases.filter((one) => partsOf(one).some((part) => parts.includes(part)));
  expect(having([...casesFor('1.0'), ...casesFor('2.0')], [...onlyByUrl, ...onlyOfUrl])).toEqual([]);
  expect(having(casesFor('url'), onlyAsEvent)).toEqual([]);
});
