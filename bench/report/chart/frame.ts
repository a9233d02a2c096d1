import { hatch, style } from './style.ts';
import { element, text } from './svg.ts';

export type Frame = {
  /** The file in bench/results that it is drawn from, without `.json`. */
  readonly id: string;
  readonly title: string;
  readonly subtitle: string;
  /** For those who cannot see it: what the picture shows, with its figures. */
  readonly description: string;
  /** Pixels. */
  readonly height: number;
};

/** Pixels. Fits a page of text on common screens without being scaled down. */
export const WIDTH = 960;

/** A whole SVG file: panel, title and the parts that are drawn on it. */
export const frame = (
  { id, title, subtitle, description, height }: Frame,
  parts: readonly string[],
): string => {
  const svg = element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      viewBox: `0 0 ${WIDTH} ${Math.round(height)}`,
      width: WIDTH,
      height: Math.round(height),
      role: 'img',
      'aria-labelledby': 'title description',
    },
    [
      text('title', { id: 'title' }, title),
      text('desc', { id: 'description' }, description),
      style,
      element('defs', {}, [hatch]),
      element('rect', {
        class: 'panel',
        x: 0.5,
        y: 0.5,
        width: WIDTH - 1,
        height: Math.round(height) - 1,
        rx: 8,
      }),
      text('text', { class: 'title', x: 24, y: 36 }, title),
      text('text', { class: 'muted', x: 24, y: 58 }, subtitle),
      ...parts,
    ],
  );
  return `<!-- Made by npm run bench from bench/results/${id}.json; not edited by hand. -->\n${svg}\n`;
};
