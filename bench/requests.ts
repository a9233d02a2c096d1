import { isDeepStrictEqual } from 'node:util';
import { type Environment, eventOf, summary, tagsOf } from './fixture.ts';
import { responsesOf, type Variant } from './process.ts';

const fileWith = (fields: { summary: string | null; documentKind: string | null }) => ({
  id: '3f2b8c1e-6a4d-4c57-9e0f-1b7a2d9c5e80',
  originalName: 'onboarding-handbook-for-new-colleagues-2026.pdf',
  language: 'en',
  domain: 'hr',
  chunksCount: 12,
  charactersCount: 18450,
  tags: tagsOf(6),
  ...fields,
});
const basicFile = { id: 'from-the-future', language: 'en', domain: 'hr', tags: [] };
const both = { summary, documentKind: 'checklist' };
const notPermitted = 'API Key does not have permission to access this resource';

/** What is sent, and the response that every variant must give to it, in this order. */
const cases: readonly [sent: Parameters<typeof eventOf>[0], status: number, body: object | string][] = [
  [{ body: '{"summary":null,"documentKind":null}' }, 200, fileWith({ summary: null, documentKind: null })],
  [{ body: '{"summary":"short"}' }, 200, fileWith({ summary: 'short', documentKind: null })],
  [{}, 200, fileWith(both)],
  [{ fileId: 'from-the-future' }, 200, { ...basicFile, ...both }],
  [{ apiKey: 'no-such-key' }, 401, 'Invalid API Key'],
  [{ apiKey: 'bench-revoked-key' }, 401, 'Invalid API Key'],
  [{ tenantId: 'globex' }, 403, notPermitted],
  [{ apiKey: 'bench-internal-key' }, 403, notPermitted],
  [{ apiKey: 'bench-viewer-key' }, 403, notPermitted],
  [{ body: '{"summary":5}' }, 400, 'summary must be a string or null'],
  [{ body: '{"colour":1}' }, 400, 'Unknown field "colour"; editable fields are summary, documentKind'],
  [{ body: '{"language":"de"}' }, 400, 'Field "language" is not editable'],
  [{ body: '{}' }, 400, 'At least one of summary, documentKind must be provided'],
  [{ body: '{"summary":' }, 400, 'Request body is not valid JSON'],
  [{ spaceId: 'no-such-space' }, 404, 'Space not found'],
  [{ spaceId: 'ada-drafts' }, 403, notPermitted],
  [{ fileId: 'no-such-file' }, 404, 'File not found'],
];

/** A body that is given as text is that of an error. */
export const expectedResponses = cases.map(([, status, body]) => ({
  status,
  body: typeof body === 'string' ? { message: body } : body,
}));

/**
 * Sends every variant the same good and bad requests, each variant in a process of its own.
 *
 * @throws {Error} with variant, request, expected and actual response, for the first response that is wrong
 */
export const checkResponses = async (variants: readonly Variant[], environment: Environment) => {
  const events = cases.map(([sent]) => eventOf(sent));
  for (const variant of variants) {
    const responses = await responsesOf(variant, environment, events);
    for (const [index, [sent]] of cases.entries()) {
      const [expected, actual] = [expectedResponses[index], responses[index]];
      if (isDeepStrictEqual(actual, expected)) continue;
      const [request, want, got] = [sent, expected, actual].map((value) => JSON.stringify(value));
      throw new Error(`${variant.id} on ${request}: expected ${want}, got ${got}`);
    }
  }
};
