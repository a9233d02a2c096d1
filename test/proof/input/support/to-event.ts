import { anEvent, aRestEvent } from '#test/support/event.ts';
import type { BadRequest, Source } from './generator.ts';

const isFields = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Turns about the case of every third letter: names that differ keep differing, and none becomes another header. */
const respelled = (name: string, from: number): string =>
  [...name]
    .map((letter, n) => {
      if ((n + from) % 3 > 0 || !/[a-z]/i.test(letter)) return letter;
      return letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
    })
    .join('');
const withRespelled = (fields: unknown, from: number): unknown =>
  isFields(fields)
    ? Object.fromEntries(Object.entries(fields).map(([name, value]) => [respelled(name, from), value]))
    : fields;

/** The event of a bad request as Lambda hands it over: nothing in it but what JSON can carry, names in any case. */
export const toEvent = (bad: BadRequest, { format, random }: Source) => {
  if (bad.event)
    return bad.event.value === undefined ? undefined : JSON.parse(JSON.stringify(bad.event.value));
  const { expected, event, ...overrides } = bad;
  const made = JSON.parse(JSON.stringify(format === '1.0' ? aRestEvent(overrides) : anEvent(overrides)));
  if (random() < 0.7) return made;
  const from = Math.floor(random() * 3);
  for (const part of ['headers', 'multiValueHeaders'])
    if (part in made) made[part] = withRespelled(made[part], from);
  return made;
};
