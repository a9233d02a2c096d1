import { times } from '../format.ts';
import { points } from '../markdown.ts';
import { ANCHOR, findMeasurement, nameOf, OURS, type Results } from '../results.ts';
import { ratio } from '../stats.ts';
import { targetLines } from '../target-lines.ts';

const headlines: readonly { readonly id: string; readonly variant: string; readonly words: string }[] = [
  { id: 'wall', variant: OURS, words: 'of the time per request' },
  { id: 'warm-engine', variant: OURS, words: 'of the CPU per request' },
  { id: 'cold', variant: OURS, words: 'of the cold start' },
  { id: 'cold', variant: `${OURS}-cached`, words: 'of the cold start, with a code cache' },
  {
    id: 'cold-512',
    variant: `${OURS}-primed-cached`,
    words: 'of the cold start at 512 MB, with a code cache and init primed',
  },
  { id: 'memory', variant: OURS, words: 'of the peak memory' },
  { id: 'size', variant: OURS, words: 'of the bundle' },
];

/** What the page comes to. */
export const summary = (results: Results): string => {
  const ratios = headlines.flatMap(({ id, variant, words }) => {
    const measured = ratio(findMeasurement(results, id), variant, ANCHOR);
    return measured === undefined ? [] : [`**${times(measured.median)}** ${words}`];
  });
  const lines = targetLines(results).filter(({ verdict }) => verdict !== 'not measured');
  const reached = lines.filter(({ verdict }) => verdict === 'reached');
  const targets = `${reached.length} of the ${lines.length} targets that were measured are reached.`;
  if (ratios.length === 0) return targets;
  const head = `What this function takes, compared with the ${nameOf(results, ANCHOR)} that does the same job:`;
  return [head, points(ratios), targets].join('\n\n');
};
