import type { Form } from '../types.ts';
import { type Comparison, compare } from './compare.ts';
import type { Verdict } from './judge.ts';
import { familyOf, type Results } from './results.ts';
import type { Lead } from './targets.ts';

export type LeadJudgement = {
  readonly verdict: Verdict;
  /** Every figure that was compared, of the peer as written and equalised. */
  readonly compared: readonly Comparison[];
  /** Those in which ours is not ahead by the median. */
  readonly behind: readonly Comparison[];
  /** Those in which ours is ahead and the spread leaves that open: another run may tell otherwise. */
  readonly open: readonly Comparison[];
  /** The forms of the peer that this run has no figures of. */
  readonly missing: readonly Form[];
};

const forms = ['as written', 'equalised'] as const;

/**
 * Whether ours is ahead of a peer, as written and equalised, in all figures of the lead. Counted figures may be
 * equal: nobody can do it in fewer calls than ours.
 */
export const judgeLead = (results: Results, lead: Lead): LeadJudgement => {
  const family = results.variants.filter((variant) => familyOf(variant.id) === lead.peer);
  const compared = family
    .flatMap((variant) => compare(results, variant.id))
    .filter(({ figure }) => lead.figures?.includes(figure.id) ?? true);
  const isAhead = ({ figure, place }: Comparison) =>
    place === 'ahead' || (place === 'level' && figure.counted === true);
  const behind = compared.filter((comparison) => !isAhead(comparison));
  const open = compared.filter(({ place, clear }) => place === 'ahead' && !clear);
  const verdict = compared.length === 0 ? 'not measured' : behind.length === 0 ? 'reached' : 'missed';
  const compares = (form: Form) =>
    family.some((variant) => variant.form === form && compared.some((one) => one.variant === variant.id));
  return { verdict, compared, behind, open, missing: forms.filter((form) => !compares(form)) };
};
