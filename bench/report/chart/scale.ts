export type Scale = {
  /** Where a value is drawn, in pixels. */
  readonly at: (value: number) => number;
  /** The values that the axis names. */
  readonly ticks: readonly number[];
  /** The largest value that it has room for. */
  readonly end: number;
};

export type Extent = { readonly from: number; readonly to: number };

const STEPS = [1, 2, 2.5, 5, 10];

/** A step of 1, 2, 2.5 or 5 times a power of ten that divides `max` into at most six. */
const stepFor = (max: number): number => {
  const power = 10 ** Math.floor(Math.log10(max / 6));
  return power * (STEPS.find((step) => step * power * 6 >= max) ?? 10);
};

/** From zero to the next round value at or above `max`. */
export const linear = (max: number, { from, to }: Extent): Scale => {
  const step = max > 0 ? stepFor(max) : 1;
  const count = Math.max(1, Math.ceil(max / step - 1e-9));
  const end = step * count;
  const at = (value: number) => from + ((to - from) * value) / end;
  // Multiplied and rounded: added up, 0.1 + 0.2 would be a tick of 0.30000000000000004.
  const ticks = Array.from({ length: count + 1 }, (_, place) => Number((place * step).toFixed(9)));
  return { at, ticks, end };
};

/** Every factor of ten takes the same way; zero, which no logarithm has, stands a factor below the smallest. */
export const logarithmic = (values: readonly number[], { from, to }: Extent): Scale => {
  const positive = values.filter((value) => value > 0);
  const smallest = positive.length === 0 ? 1 : Math.min(...positive);
  const place = (value: number) => Math.log10(value > 0 ? value : smallest / 4);
  const first = Math.min(...values.map(place));
  const width = Math.max(...values.map(place)) - first;
  const at = (value: number) => (width === 0 ? from : from + ((to - from) * (place(value) - first)) / width);
  return { at, ticks: values, end: Math.max(...values) };
};
