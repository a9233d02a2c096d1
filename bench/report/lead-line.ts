import type { Comparison } from './compare.ts';
import { times } from './format.ts';
import { judgeLead } from './lead.ts';
import { nameOf, type Results } from './results.ts';
import type { Line } from './target-lines.ts';
import type { Lead } from './targets.ts';

const noted = (words: string, names: readonly string[]): readonly string[] =>
  names.length === 0 ? [] : [`${words} ${names.join(', ')}`];

/** A lead over a peer in words: in how many figures, in which ones not, and which the spread leaves open. */
export const leadLine = (results: Results, lead: Lead): Line => {
  const { verdict, compared, behind, open, missing } = judgeLead(results, lead);
  const name = ({ figure, variant, ratio, clear }: Comparison) => {
    const form = variant === lead.peer ? 'as written' : 'equalised';
    return `${figure.name} ${times(ratio.median)} (${form}${clear ? '' : ', within the spread'})`;
  };
  return {
    what: `Ahead of ${nameOf(results, lead.peer)}, as written and equalised`,
    asked: lead.on,
    measured:
      compared.length === 0 ? '-' : `${compared.length - behind.length} of ${compared.length} figures`,
    verdict,
    note: [
      ...noted('not ahead in', behind.map(name)),
      ...noted('no more than a tie in', open.map(name)),
      ...noted('not measured:', compared.length === 0 ? [] : missing),
    ].join('; '),
  };
};
