import { anEvent, aRestEvent } from '#test/support/event.ts';

/** Good and refused requests of both formats, as text; a prime number of them, so that each meets every place. */
export const mixedEvents = (): readonly string[] =>
  [
    anEvent(),
    aRestEvent(),
    anEvent({ body: '{"summary":null,"documentKind":"memo"}' }),
    anEvent({ body: JSON.stringify({ summary: 's'.repeat(5_000) }) }),
    anEvent({ headers: { 'if-match': '*' } }),
    aRestEvent({ body: '{"documentKind":null}' }),
    anEvent({ headers: { 'x-user-id': undefined } }),
    anEvent({ headers: { 'x-api-key': 'unknown-key' } }),
    anEvent({ headers: { 'x-api-key': 'viewer-key' } }),
    anEvent({ headers: { 'content-type': 'text/plain' } }),
    aRestEvent({ body: '{"summary":' }),
    anEvent({ body: '{"language":"fr","unknown":1}' }),
    anEvent({ body: ' '.repeat(140_000) }),
    anEvent({ body: 'eyJ9', isBase64Encoded: true }),
    anEvent({ spaceId: 'unknown' }),
    anEvent({ spaceId: 'vault' }),
    anEvent({ fileId: 'unknown' }),
    anEvent({ headers: { 'if-match': '"5"' } }),
    { Records: [] },
  ].map((event) => JSON.stringify(event));
