import { quantity, times } from '../format.ts';
import type { Bar } from './bar-groups.ts';
import type { Scale } from './scale.ts';
import { element, line, text } from './svg.ts';

/** Pixels. */
export const BAR_HEIGHT = 14;

/** The look of a bar: the kind of its variant, and for peers their form. */
export const lookOf = ({ variant: { kind, form } }: Bar): string =>
  kind === 'peer' && form === 'equalised' ? 'equalised' : kind;

/** What is printed at a bar: `0.73 · 61.7 ms`. */
export const caption = ({ ratio, value }: Bar, unit: string): string =>
  `${times(ratio.median)} · ${quantity(value, unit)}`;

/**
 * One bar from the axis to its ratio, whiskers at the quartiles, its figures behind it. One that is longer than the
 * axis is cut there, and shows it. `y` is its top in pixels.
 */
export const drawBar = (
  bar: Bar,
  { x, y, unit }: { x: Scale; y: number; unit: string },
): readonly string[] => {
  const end = Math.max(bar.ratio.median, bar.ratio.upper);
  const cut = end > x.end;
  const right = x.at(cut ? x.end : bar.ratio.median);
  const middle = y + BAR_HEIGHT / 2;
  const weight = bar.variant.kind === 'ours' ? 'small strong' : 'small';
  return [
    element('rect', {
      class: lookOf(bar),
      x: x.at(0),
      y,
      width: Math.max(1, right - x.at(0)),
      height: BAR_HEIGHT,
    }),
    ...(cut ? drawCut(right - 14, y) : drawWhiskers(bar, x, middle)),
    text('text', { class: weight, x: x.at(Math.min(end, x.end)) + 8, y: middle + 4 }, caption(bar, unit)),
  ];
};

const drawCut = (x: number, y: number): readonly string[] => [
  line('cut', [x, y + BAR_HEIGHT + 2], [x + 5, y - 2]),
];

const drawWhiskers = (
  { ratio: { lower, upper, rounds } }: Bar,
  x: Scale,
  middle: number,
): readonly string[] => {
  if (rounds < 2) return [];
  const end = (value: number) => line('whisker', [x.at(value), middle - 3], [x.at(value), middle + 3]);
  return [line('whisker', [x.at(lower), middle], [x.at(upper), middle]), end(lower), end(upper)];
};
