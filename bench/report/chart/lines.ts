import { count, quantity } from '../format.ts';
import { linear, logarithmic } from './scale.ts';
import { element, line, text } from './svg.ts';

export type Panel = {
  readonly title: string;
  readonly unit: string;
  readonly quantity: string;
  readonly points: readonly { readonly at: number; readonly value: number }[];
};

/** Pixels. */
export type Box = {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
};

/** One curve over a logarithmic axis, a value at each point. */
export const linePanel = ({ title, unit, quantity: what, points }: Panel, box: Box): readonly string[] => {
  const bottom = box.top + box.height;
  const right = box.left + box.width;
  const inset = 36;
  const x = logarithmic(
    points.map(({ at }) => at),
    { from: box.left + inset, to: right - inset },
  );
  const y = linear(Math.max(...points.map(({ value }) => value)), { from: bottom, to: box.top + 24 });
  const path = points.map(({ at, value }) => `${x.at(at).toFixed(1)},${y.at(value).toFixed(1)}`).join(' ');
  return [
    text('text', { class: 'strong', x: box.left, y: box.top - 4 }, title),
    ...y.ticks.flatMap((tick) => [
      line('grid', [box.left, y.at(tick)], [right, y.at(tick)]),
      text('text', { class: 'small muted end', x: box.left - 8, y: y.at(tick) + 4 }, count(tick)),
    ]),
    ...x.ticks.map((tick) =>
      text('text', { class: 'small muted middle', x: x.at(tick), y: bottom + 18 }, count(tick)),
    ),
    text('text', { class: 'small muted middle', x: box.left + box.width / 2, y: bottom + 38 }, what),
    element('polyline', { class: 'curve', points: path }),
    ...points.flatMap(({ at, value }) => [
      element('circle', { class: 'ours', cx: x.at(at), cy: y.at(value), r: 4 }),
      text('text', { class: 'small middle', x: x.at(at), y: y.at(value) - 9 }, quantity(value, unit)),
    ]),
  ];
};
