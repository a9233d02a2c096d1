import type { Measurement } from '../../types.ts';
import { shownUnit } from '../format.ts';
import { ANCHOR, nameOf, type Results } from '../results.ts';
import { BAR_HEIGHT, caption, drawBar, lookOf } from './bar.ts';
import { type Bar, type BarGroup, barGroups } from './bar-groups.ts';
import { frame, WIDTH } from './frame.ts';
import { legend } from './legend.ts';
import { linear, type Scale } from './scale.ts';
import { line, text } from './svg.ts';

// Pixels: the panel above the bars, between them, and at their sides.
const TOP = 122;
const BAR_GAP = 2;
const GROUP_GAP = 10;
const FOOT = 52;
const LABELS = 270;
const CAPTIONS = 150;

const heightOf = ({ bars }: BarGroup): number => bars.length * (BAR_HEIGHT + BAR_GAP) + GROUP_GAP;

/** A measurement as bars: the ratio to the anchor of every variant. Undefined where the anchor was not measured. */
export const barChart = (results: Results, measurement: Measurement): string | undefined => {
  const groups = barGroups(results, measurement);
  if (groups.length === 0) return undefined;
  const { id, title, unit } = measurement;
  const bars = groups.flatMap((group) => group.bars);
  const bottom = groups.reduce((sum, group) => sum + heightOf(group), TOP);
  const x = linear(longest(bars), { from: LABELS, to: WIDTH - CAPTIONS });
  const anchor = nameOf(results, ANCHOR);
  const spread = bars.some(({ ratio }) => ratio.rounds > 1);
  return frame(
    {
      id,
      title,
      subtitle: `Times the ${anchor}${spread ? ' (median of the ratios within a round)' : ''}, and in ${shownUnit(unit)}. Less is better.`,
      description: bars
        .map((bar) => `${bar.variant.name} (${bar.variant.form}): ${caption(bar, unit)}`)
        .join('; '),
      height: bottom + FOOT,
    },
    [
      ...legend(new Set(bars.map(lookOf)), 84),
      ...axis(x, { bottom, anchor, spread }),
      ...drawGroups(groups, x, unit),
    ],
  );
};

/** How far the axis has to reach. A bar twice as long as any other would squeeze all of them: it is cut. */
const longest = (bars: readonly Bar[]): number => {
  const [first = 1, second = first] = bars.map(({ ratio }) => ratio.upper).toSorted((a, b) => b - a);
  return Math.max(1, first > 2 * second ? second : first);
};

type Axis = { readonly bottom: number; readonly anchor: string; readonly spread: boolean };

const axis = (x: Scale, { bottom, anchor, spread }: Axis): readonly string[] => [
  ...x.ticks.flatMap((tick) => [
    line('grid', [x.at(tick), TOP - 8], [x.at(tick), bottom]),
    text('text', { class: 'small muted middle', x: x.at(tick), y: bottom + 18 }, String(tick)),
  ]),
  line('mark', [x.at(1), TOP - 8], [x.at(1), bottom]),
  text('text', { class: 'small middle', x: x.at(1), y: TOP - 14 }, `${anchor} = 1.00`),
  text(
    'text',
    { class: 'small muted middle', x: x.at((x.ticks.at(-1) ?? 0) / 2), y: bottom + 38 },
    `times ${anchor}${spread ? '; whiskers: quartiles over the rounds' : ''}`,
  ),
];

const drawGroups = (groups: readonly BarGroup[], x: Scale, unit: string): readonly string[] =>
  groups.flatMap((group, place) => {
    const top = groups.slice(0, place).reduce((sum, above) => sum + heightOf(above), TOP);
    const middle = top + (heightOf(group) - GROUP_GAP) / 2;
    const weight = group.bars.some(({ variant }) => variant.kind === 'ours') ? 'end strong' : 'end';
    return [
      text('text', { class: weight, x: LABELS - 10, y: middle + 4 }, group.label),
      ...group.bars.flatMap((bar, below) =>
        drawBar(bar, { x, y: top + below * (BAR_HEIGHT + BAR_GAP), unit }),
      ),
    ];
  });
