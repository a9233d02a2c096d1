import { element, text } from './svg.ts';

const entries: readonly { readonly look: string; readonly words: string; readonly width: number }[] = [
  { look: 'ours', words: 'this function', width: 118 },
  { look: 'anchor', words: 'plain handler, the anchor', width: 192 },
  { look: 'peer', words: 'as its documentation has it', width: 204 },
  { look: 'equalised', words: 'around our own operation', width: 192 },
  { look: 'bound', words: 'a bound', width: 80 },
];

/** What the looks of the bars mean, those in use, in one line. `y` is its base line in pixels. */
export const legend = (looks: ReadonlySet<string>, y: number): readonly string[] => {
  const used = entries.filter(({ look }) => looks.has(look));
  return used.flatMap(({ look, words }, place) => {
    const x = used.slice(0, place).reduce((sum, entry) => sum + entry.width, 24);
    return [
      element('rect', { class: look, x, y: y - 10, width: 12, height: 12 }),
      text('text', { class: 'small', x: x + 18, y }, words),
    ];
  });
};
