import { join } from 'node:path';
import { allGroups } from '../cases/all.ts';
import { readWorld } from '../read-world.ts';
import type { Result } from '../runner/result.ts';
import { runSuite } from '../runner/run-suite.ts';
import { type Alteration, startAlteringProxy } from './altering-proxy.ts';

const demoWorld = join(import.meta.dirname, '..', 'demo-world.json');

type Altered = {
  readonly titles: readonly string[];
  readonly alteration: Alteration;
  /** Called after every result. */
  readonly afterEach?: (results: readonly Result[]) => void;
  readonly signal?: AbortSignal;
};

/** Runs some groups against a service with one fault. */
export const runAltered = async (
  service: string,
  { titles, alteration, afterEach, signal = new AbortController().signal }: Altered,
) => {
  const proxy = await startAlteringProxy(service, alteration);
  const results: Result[] = [];
  const onResult = (result: Result) => {
    results.push(result);
    afterEach?.(results);
  };
  const groups = allGroups.filter(({ title }) => titles.includes(title));
  const suite = { baseUrl: new URL(proxy.url), groups, wants: () => true, onResult, signal };
  try {
    return { ending: await runSuite({ ...suite, world: await readWorld(demoWorld) }), results };
  } finally {
    await proxy.close();
  }
};

/** The names of all cases of a group. */
export const namesOf = (title: string): readonly string[] =>
  allGroups.filter((group) => group.title === title).flatMap(({ cases }) => cases.map(({ name }) => name));
