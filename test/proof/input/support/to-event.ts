import { anEvent, aRestEvent } from '#test/support/event.ts';
import type { BadRequest, Format } from './generator.ts';

/** The event of a bad request as Lambda hands it over: nothing in it but what JSON can carry. */
export const toEvent = (bad: BadRequest, format: Format) => {
  if (bad.event)
    return bad.event.value === undefined ? undefined : JSON.parse(JSON.stringify(bad.event.value));
  const { expected, event, ...overrides } = bad;
  return JSON.parse(JSON.stringify(format === '1.0' ? aRestEvent(overrides) : anEvent(overrides)));
};
