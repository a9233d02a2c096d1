import { UsageError } from '#tools/cli.ts';
import type { Group } from './case.ts';
import { allGroups } from './cases/all.ts';
import { lawGroup, lawNames } from './runner/law-book.ts';

/** The groups with the cases that are wanted. Throws a UsageError where none is left. */
export const chooseGroups = (wants: (name: string) => boolean): readonly Group[] => {
  const groups = allGroups
    .map(({ title, cases }) => ({ title, cases: cases.filter(({ name }) => wants(name)) }))
    .filter(({ cases }) => cases.length > 0);
  if (groups.length > 0 || lawNames.some(wants)) return groups;
  throw new UsageError('No case has that text in its name; npm run conformance -- --list shows them.');
};

/** The names of cases and laws, under their groups. */
export const listText = (groups: readonly Group[], laws: readonly string[]): string =>
  [
    ...groups.map(({ title, cases }) => [title, cases.map(({ name }) => name)] as const),
    [lawGroup, laws] as const,
  ]
    .filter(([, names]) => names.length > 0)
    .map(([title, names]) => [title, ...names.map((name) => `  ${name}`), ''].join('\n'))
    .join('\n');
