import { type Figures, ratioOf, type Spread, spreadOf } from './results.ts';

/** Our function in the form that is compared; its other forms are for cold starts. */
export const ours = 'space-files';

/** Our function is to be ahead of these peers in every figure. */
export const rivals = ['powertools', 'hono', 'express', 'electrodb', 'dynamodb-toolbox', 'lambda-api'];

/** Figures that are the same in every round; they are compared in their own unit. */
export const counted = ['calls', 'read units', 'write units'];

/** A figure of ours that is to be at most `limit`: times the plain handler, or in its own unit. */
export type Target = { figure: string; variant?: string; limit: number; in?: 'unit' };

/** They were set before the function was measured, from prototypes. */
export const targets: readonly Target[] = [
  { figure: 'bundle, KB', limit: 240, in: 'unit' },
  { figure: 'gzipped, KB', limit: 80, in: 'unit' },
  { figure: 'cold start, ms', limit: 0.75 },
  { figure: 'cold start, ms', variant: 'space-files-cached', limit: 0.45 },
  { figure: 'cold start at 512 MB, ms', variant: 'space-files-primed', limit: 0.6 },
  { figure: 'cold start at 512 MB, ms', variant: 'space-files-primed-cached', limit: 0.42 },
  { figure: 'wall p50, ms', limit: 0.7 },
  { figure: 'CPU, µs', limit: 0.8 },
  { figure: 'peak memory, MB', limit: 0.65 },
  { figure: 'calls', limit: 2, in: 'unit' },
  { figure: 'read units', limit: 2, in: 'unit' },
  { figure: 'write units', limit: 1, in: 'unit' },
];

/** What was measured for a target, and whether its median reaches the target. Undefined if it was not measured. */
export const judge = (
  figures: Figures,
  { figure, variant = ours, limit, in: isAbsolute }: Target,
): { measured: Spread; reached: boolean } | undefined => {
  const measured = isAbsolute
    ? spreadOf(figures[figure]?.[variant])
    : ratioOf(figures[figure], variant, 'plain');
  return measured && { measured, reached: measured.median <= limit };
};

/** For each figure that both have, whether our function is ahead. In counted figures a tie is enough. */
export const compare = (figures: Figures, rival: string) =>
  Object.entries(figures).flatMap(([name, figure]) => {
    const ratio = ratioOf(figure, ours, rival);
    if (!ratio) return [];
    return { rival, name, isAhead: counted.includes(name) ? ratio.median <= 1 : ratio.median < 1 };
  });
