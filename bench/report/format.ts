import type { Spread } from './stats.ts';

/** 1234567 as `1,234,567`. */
export const count = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, ',');

/** Three digits that say something: 2,927, 86.4, 1.35; whole numbers stay whole. */
const digits = (value: number): string => {
  if (Number.isInteger(value) || Math.abs(value) >= 100) return count(Math.round(value));
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2);
};

const kilobytes = (value: number): string => (value < 10 ? value.toFixed(1) : count(Math.round(value)));

/** A value as it is shown, without its unit: bytes become KB of 1,024. */
export const amount = (value: number, unit: string): string =>
  unit === 'bytes' ? kilobytes(value / 1024) : digits(value);

/** The unit that `amount` shows. */
export const shownUnit = (unit: string): string => (unit === 'bytes' ? 'KB' : unit);

/** A value with its unit: `226 KB`. */
export const quantity = (value: number, unit: string): string => `${amount(value, unit)} ${shownUnit(unit)}`;

/** A ratio with two decimals. */
export const times = (value: number): string => value.toFixed(2);

/** The quartiles of ratios, `0.71–0.75`; empty where one value tells no spread. */
export const range = ({ lower, upper, rounds }: Spread): string =>
  rounds > 1 ? `${times(lower)}–${times(upper)}` : '';

/** `a`, `a and b`, `a, b and c`. */
export const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
