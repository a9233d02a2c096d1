import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expected } from './check/expected.ts';
import type { Variant } from './types.ts';
import { childEnvironment } from './world/environment.ts';
import { requests } from './world/events.ts';
import type { World } from './world/world.ts';

const cases = Object.entries(expected);
const events = Object.keys(expected).map((name) => requests[name as keyof typeof requests]);

/**
 * Sends every variant the good requests and the bad ones, each variant in a process of its own.
 *
 * @param extra more environment variables for them
 * @throws {Error} naming variant, case, expected and got, when one does not answer as it must
 */
export const checkAnswers = async (
  variants: readonly Variant[],
  world: Pick<World, 'endpoint' | 'tables'>,
  extra: Readonly<Record<string, string>> = {},
): Promise<void> => {
  for (const variant of variants) {
    // It makes our calls without our checks, so it has no answers to give.
    if (variant.id === 'sdk-only') continue;
    const answers = await answersOf(variant, childEnvironment(world, extra));
    for (const [index, [name, answer]] of cases.entries()) {
      if (isDeepStrictEqual(answers[index], answer)) continue;
      const [want, got] = [answer, answers[index]].map((value) => JSON.stringify(value));
      throw new Error(`${variant.id}, case ${name}: expected ${want}, got ${got}`);
    }
  }
};

const answersOf = async ({ id, file }: Variant, env: Record<string, string>): Promise<unknown[]> => {
  const child = fork(join(import.meta.dirname, 'check', 'answerer.ts'), [file], {
    env,
    execArgv: [],
    // What handlers log is not looked at; what they die of is shown.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  try {
    const ended = once(child, 'exit').then(() => {
      throw new Error(`${id} ended before it had answered`);
    });
    child.send(events);
    const [answers] = await Promise.race([once(child, 'message'), ended]);
    return answers;
  } finally {
    child.kill();
  }
};
