import { checkEnd } from './check-end.ts';
import { checkFold } from './check-fold.ts';
import { checkAnswers, checkIfMatch, checkOrder } from './check-order.ts';
import type { FileHistory, Problem } from './history.ts';

/**
 * Everything that went wrong in a run, nothing when it kept its promises. Takes time n log n in the number of
 * operations: the order of the writes is read off their versions, not searched for.
 *
 * @param slackMs by how much the writers' clocks differ at most
 * @param stallMs how long the process that ran the writers stood still at most
 */
export const checkHistory = (
  histories: readonly FileHistory[],
  { slackMs = 0, stallMs = 0 }: { slackMs?: number; stallMs?: number } = {},
): readonly Problem[] =>
  histories.flatMap((history) => [
    ...checkAnswers(history, stallMs),
    ...checkOrder(history),
    ...checkIfMatch(history),
    ...checkFold(history, slackMs),
    ...checkEnd(history),
  ]);
