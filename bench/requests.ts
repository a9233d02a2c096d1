import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../tools/project.ts';
import { type BenchRequest, measureRun, type Variant } from './process.ts';

const detailed = {
  id: '3f2b8c1e-6a4d-4c57-9e0f-1b7a2d9c5e80',
  originalName: 'onboarding.pdf',
  summary: 'What to do in the first week.',
  language: 'en',
  documentKind: 'checklist',
  domain: 'hr',
  chunksCount: 12,
  charactersCount: 18450,
  tags: [
    { key: 'audience', value: 'new hires', aiExtracted: true },
    { key: 'status', value: 'approved', aiExtracted: false },
  ],
};
const basic = { id: 'a71d0c52-8f3e-4b69-b2d4-5c6e7f809112', language: 'de', domain: 'hr', tags: [] };
const basicTexts = { summary: 'Who answers which question.', documentKind: 'directory' };
const notPermitted = 'API Key does not have permission to access this resource';

/** Files of events/, in this order, and the response that every variant must give: a file, or the message of an error. */
const cases: readonly [name: string, status: number, response: object | string][] = [
  ['cleared-both', 200, { ...detailed, summary: null, documentKind: null }],
  ['updated-empty-string', 200, { ...detailed, summary: '', documentKind: null }],
  ['updated', 200, detailed],
  ['set-and-cleared', 200, { ...detailed, documentKind: null }],
  ['updated-basic-shape', 200, { ...basic, ...basicTexts }],
  ['api-key-missing', 401, 'Invalid API Key'],
  ['api-key-unknown', 401, 'Invalid API Key'],
  ['api-key-revoked', 401, 'Invalid API Key'],
  ['api-key-expired', 401, 'Invalid API Key'],
  ['permission-other-tenant', 403, notPermitted],
  ['permission-other-scope', 403, notPermitted],
  ['permission-viewer', 403, notPermitted],
  ['permission-private-space', 403, notPermitted],
  ['summary-wrong-type', 400, 'summary must be a string or null'],
  ['summary-too-long', 400, 'summary must be at most 10000 characters'],
  ['field-unknown', 400, 'Unknown field "x"; editable fields are summary, documentKind'],
  ['field-not-editable', 400, 'Field "language" is not editable'],
  ['patch-empty', 400, 'At least one of summary, documentKind must be provided'],
  ['body-not-json', 400, 'Request body is not valid JSON'],
  ['space-not-found', 404, 'Space not found'],
  ['space-of-another-tenant', 404, 'Space not found'],
  ['file-not-found', 404, 'File not found'],
];

const readEvent = (name: string) => readFileSync(join(projectRoot, 'events', `${name}.json`), 'utf8');

export const checkedRequests: readonly BenchRequest[] = cases.map(([name, status, response]) => ({
  name,
  event: readEvent(name),
  status,
  body: typeof response === 'string' ? { message: response } : response,
}));

/** The request that is measured: an update of both fields. */
export const update: BenchRequest = { name: 'updated', event: readEvent('updated'), status: 200 };

/** The same for another file and body. Only our function takes it: routers read the file from the path. */
export const updateOf = (fileId: string, body: string): BenchRequest => {
  const pathParameters = { spaceId: 'handbook', fileId };
  return { ...update, event: JSON.stringify({ ...JSON.parse(update.event), pathParameters, body }) };
};

/**
 * Sends a variant good and bad requests.
 *
 * @throws {Error} with variant, request, expected and actual response, for the first response that is wrong
 */
export const checkResponses = async (
  variant: Variant,
  env: Readonly<Record<string, string>>,
): Promise<void> => {
  await measureRun(variant, env, { requests: checkedRequests, count: checkedRequests.length });
};
