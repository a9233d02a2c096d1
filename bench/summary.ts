import { coldStart, type Results, ratioOf } from './results.ts';

const ratio = ({ figures }: Results, id: string, base: string): number | undefined =>
  ratioOf(figures[coldStart], id, base)?.median;

/** A bar chart of cold starts for Mermaid. The labels have the values: not every renderer writes them beside the bars. */
export const formatChart = (results: Results): string => {
  const bars = Object.entries(results.variants).flatMap(([id, name]) => {
    const value = ratio(results, id, 'expert');
    return value === undefined ? [] : [{ label: `"${name} ×${value.toFixed(2)}"`, value }];
  });
  return `\`\`\`mermaid
%%{init: {"themeVariables": {"xyChart": {"plotColorPalette": "#4a7ebb"}}}}%%
xychart-beta horizontal
  title "Instructions of a cold start, as a ratio to the expert's"
  x-axis [${bars.map(({ label }) => label).join(', ')}]
  y-axis 0 --> ${Math.ceil(Math.max(...bars.map(({ value }) => value)))}
  bar [${bars.map(({ value }) => value.toFixed(2)).join(', ')}]
\`\`\``;
};

/** Compares our starts with those of an expert who leaves out the same parts of the SDK. Empty if it was not measured. */
export const compareWithoutParts = (results: Results): string => {
  const theirs = ratio(results, 'expert-external', 'space-files');
  const cached = ratio(results, 'space-files-cached', 'expert-external');
  if (theirs === undefined || cached === undefined) return '';
  return `For a cold start, the expert's handler that leaves out the same parts of the SDK takes ×${theirs.toFixed(2)} of what
ours takes by default. With the code cache, ours takes ×${cached.toFixed(2)} of what it takes.`;
};
