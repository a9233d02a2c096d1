import { isDeepStrictEqual } from 'node:util';
import { at, idsOf, type Template } from './template.ts';

/** What is put where to break the good template; undefined takes it away. */
export type Breakage = readonly [path: string, value?: unknown];

/** One sentence that holds of every packaged template, and ways to break it that it must notice. */
export type Rule = {
  readonly name: string;
  /** The problems found; none when the rule holds. */
  readonly check: (template: Template) => readonly string[];
  readonly broken: readonly [Breakage, ...Breakage[]];
};

const told = (path: string, found: unknown) => `${path} is ${JSON.stringify(found)}`;

/** What stands at the path is what the rest of the template asks for. */
export const follows = (
  name: string,
  path: string,
  expected: (template: Template) => unknown,
  broken: Rule['broken'],
): Rule => ({
  name,
  check: (template) => {
    const found = at(template, path);
    return isDeepStrictEqual(found, expected(template)) ? [] : [told(path, found)];
  },
  broken,
});

/** What stands at the path is exactly this. */
export const exactly = (name: string, path: string, expected: unknown, broken: Rule['broken']): Rule =>
  follows(name, path, () => expected, broken);

/** What stands at a path below every resource of a type is good. A type without resources is a problem too. */
export const everywhere = (
  name: string,
  type: string,
  path: string,
  isGood: (found: unknown, template: Template, id: string) => boolean,
  broken: Rule['broken'],
): Rule => ({
  name,
  check: (template) => {
    const ids = idsOf(template, type);
    if (ids.length === 0) return [`there is no ${type}`];
    return ids
      .map((id) => ({ id, found: at(template.Resources[id], path) }))
      .filter(({ id, found }) => !isGood(found, template, id))
      .map(({ id, found }) => told(`${id}.${path}`, found));
  },
  broken,
});

/** For `everywhere`: exactly this value. */
export const is = (expected: unknown) => (found: unknown) => isDeepStrictEqual(found, expected);
