import { describe, test } from 'vitest';
import { service } from '#test/support/service.ts';
import { type Format, runAsEvent } from './as-event.ts';
import { casesFor } from './cases/all.ts';

/* Each case as an event of a REST API and of an HTTP API, sent to the source, on simulated tables. */
describe.each<Format>(['1.0', '2.0'])('in format %s', (format) => {
  test.each(casesFor(format))('$name', async (oneCase) => {
    await runAsEvent(service(), oneCase, format);
  });
});
