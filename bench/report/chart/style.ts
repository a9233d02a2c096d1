/** The two faces of a chart: a viewer in dark mode gets the other colours from the same file. */
const light = {
  panel: '#ffffff',
  edge: '#d0d7de',
  ink: '#1f2328',
  muted: '#59636e',
  grid: '#e6eaef',
  ours: '#0969da',
  anchor: '#57606a',
  peer: '#a8b4c2',
  equalised: '#d3dae2',
  bound: '#8c959f',
};

const dark: typeof light = {
  panel: '#0d1117',
  edge: '#3d444d',
  ink: '#e6edf3',
  muted: '#9198a1',
  grid: '#21262d',
  ours: '#4493f8',
  anchor: '#b1bac4',
  peer: '#656f7b',
  equalised: '#3a424c',
  bound: '#7d8590',
};

// Not CSS variables: some viewers of SVG do not know them.
const rules = (colour: typeof light): string => `
.panel { fill: ${colour.panel}; stroke: ${colour.edge}; }
text { fill: ${colour.ink}; stroke: ${colour.panel}; }
.cut { stroke: ${colour.panel}; }
.muted { fill: ${colour.muted}; }
.grid { stroke: ${colour.grid}; }
.mark { stroke: ${colour.anchor}; }
.whisker { stroke: ${colour.ink}; }
.ours { fill: ${colour.ours}; }
.anchor { fill: ${colour.anchor}; }
.peer { fill: ${colour.peer}; }
.equalised { fill: ${colour.equalised}; stroke: ${colour.peer}; }
.bound { fill: url(#hatch); stroke: ${colour.bound}; }
.hatch { stroke: ${colour.bound}; }
.curve { stroke: ${colour.ours}; }
`;

/** The style element of every chart. Text has a rim of the panel's colour: lines pass behind it. */
export const style = `<style>
text { font: 13px system-ui, -apple-system, 'Segoe UI', sans-serif; paint-order: stroke; stroke-width: 4px; stroke-linejoin: round; }
.title { font-size: 18px; font-weight: 600; }
.strong { font-weight: 600; }
.small { font-size: 12px; }
.end { text-anchor: end; }
.middle { text-anchor: middle; }
.mark { stroke-width: 1.5; stroke-dasharray: 5 3; }
.cut { stroke-width: 4; }
.curve { fill: none; stroke-width: 2; }
${rules(light)}
@media (prefers-color-scheme: dark) {
${rules(dark)}
}
</style>`;

/** The hatching of a bound, for `defs`. */
export const hatch = `<pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
<line class="hatch" x1="0" y1="0" x2="0" y2="6" stroke-width="2.5"/>
</pattern>`;
