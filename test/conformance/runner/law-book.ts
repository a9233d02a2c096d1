import { describeAnswer, describeSent } from './describe.ts';
import { type Law, lawsFor } from './laws.ts';
import { failed, type Outcome, passed, type Result, skipped } from './result.ts';
import type { Run } from './run.ts';

type Sentence = Parameters<Run['observe']>[0];

/** The group under which the laws are told. */
export const lawGroup = 'Every answer';

const headerNames = ['content-type', 'cache-control', 'x-content-type-options', 'x-request-id', 'etag'];

/** The laws of one run: is shown every answer, and tells in the end which laws all of them kept. */
export const createLawBook = (laws: readonly Law[], mask: Run['mask']) => {
  const checks = laws.map((law) => ({ law, isKept: law.create() }));
  const offences = new Map<Law, Sentence>();
  let answers = 0;
  const observe = (observed: Sentence): void => {
    answers += 1;
    for (const { law, isKept } of checks)
      if (!isKept(observed) && !offences.has(law)) offences.set(law, observed);
  };
  const outcomeOf = (law: Law): Outcome => {
    if (answers === 0) return skipped('it is shown by the other cases, and none was run');
    const first = offences.get(law);
    if (first === undefined) return passed;
    const got = describeAnswer(first.answer, { names: headerNames, mask });
    return failed({ sent: describeSent(first.sent, first.file), expected: law.expected, got });
  };
  const results = (): readonly Result[] =>
    laws.map((law) => ({ group: lawGroup, name: law.name, ms: 0, outcome: outcomeOf(law) }));
  return { observe, results };
};

/** The laws as they are told before a run. */
export const lawNames: readonly string[] = lawsFor([]).map(({ name }) => name);
