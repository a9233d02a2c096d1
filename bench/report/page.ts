import { aheadSection } from './page/ahead.ts';
import { costSection } from './page/cost.ts';
import { fairness } from './page/fairness.ts';
import { figuresSection } from './page/figures.ts';
import { growthSection } from './page/growth.ts';
import { leversSection } from './page/levers.ts';
import { limitsSection } from './page/limits.ts';
import { methodsSection } from './page/methods.ts';
import { names } from './page/names.ts';
import { picturesSection } from './page/pictures.ts';
import { summary } from './page/summary.ts';
import { targetsSection } from './page/targets.ts';
import type { Results } from './results.ts';

/** docs/performance.md: whether it is fast, whether the comparison is fair, and everything behind it. */
export const renderPage = (results: Results): string =>
  `${[
    '# Performance',
    'Made by `npm run bench` from bench/results/*.json; not edited by hand.',
    summary(results),
    targetsSection(results),
    fairness(results),
    names(results),
    picturesSection(results),
    leversSection(results),
    growthSection(results),
    aheadSection(results),
    costSection(results),
    figuresSection(results),
    methodsSection(results),
    limitsSection(),
  ].join('\n\n')}\n`;
