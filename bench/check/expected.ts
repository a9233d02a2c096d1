import { newSummary, type requests } from '../world/events.ts';

/** What a handler says to one request. */
export type Answer = { readonly status: number; readonly body: unknown };

const refusal = (status: number, message: string): Answer => ({ status, body: { message } });
const notPermitted = refusal(403, 'API Key does not have permission to access this resource');

const file = (summary: string | null, documentKind: string | null): Answer => ({
  status: 200,
  body: {
    id: '3f2b8c1e-6a4d-4c57-9e0f-1b7a2d9c5e80',
    originalName: 'onboarding-handbook-for-new-colleagues-2026.pdf',
    summary,
    language: 'en',
    documentKind,
    domain: 'hr',
    chunksCount: 12,
    charactersCount: 18450,
    tags: [
      { key: 'audience', value: 'the value of audience', aiExtracted: true },
      { key: 'status', value: 'the value of status', aiExtracted: false },
      { key: 'quarter', value: 'the value of quarter', aiExtracted: true },
      { key: 'author', value: 'the value of author', aiExtracted: false },
      { key: 'origin', value: 'the value of origin', aiExtracted: true },
      { key: 'reviewed', value: 'the value of reviewed', aiExtracted: false },
    ],
  },
});

/** What every variant must say to the requests, sent in this order. */
export const expected: Readonly<Record<keyof typeof requests, Answer>> = {
  cleared: file(null, null),
  oneField: file('short', null),
  good: file(newSummary, 'checklist'),
  behind: {
    status: 200,
    body: {
      id: 'from-the-future',
      summary: newSummary,
      language: 'en',
      documentKind: 'checklist',
      domain: 'hr',
      tags: [],
    },
  },
  unknownKey: refusal(401, 'Invalid API Key'),
  revokedKey: refusal(401, 'Invalid API Key'),
  otherTenant: notPermitted,
  otherScope: notPermitted,
  viewer: notPermitted,
  wrongType: refusal(400, 'summary must be a string or null'),
  unknownField: refusal(400, 'Unknown field "colour"; editable fields are summary, documentKind'),
  readOnlyField: refusal(400, 'Field "language" is not editable'),
  emptyPatch: refusal(400, 'At least one of summary, documentKind must be provided'),
  notJson: refusal(400, 'Request body is not valid JSON'),
  unknownSpace: refusal(404, 'Space not found'),
  privateSpace: notPermitted,
  unknownFile: refusal(404, 'File not found'),
};
