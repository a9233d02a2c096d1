import type { Outcome } from './outcome.ts';

const detailed = {
  id: '3f2b8c1e-6a4d-4c57-9e0f-1b7a2d9c5e80',
  originalName: 'onboarding.pdf',
  summary: 'How the first week goes.',
  language: 'en',
  documentKind: 'guide',
  domain: 'hr',
  chunksCount: 12,
  charactersCount: 18450,
  tags: [
    { key: 'audience', value: 'new hires', aiExtracted: true },
    { key: 'status', value: 'approved', aiExtracted: false },
  ],
};
const basic = {
  id: 'a71d0c52-8f3e-4b69-b2d4-5c6e7f809112',
  summary: 'Who answers which question.',
  language: 'de',
  documentKind: 'contact list',
  domain: 'hr',
  tags: [],
};
const draft = {
  id: 'c9e4f6a8-1d2b-4e3c-8a5f-90b1c2d3e4f5',
  originalName: 'roadmap.md',
  summary: null,
  language: 'en',
  documentKind: null,
  domain: 'product',
  chunksCount: 3,
  charactersCount: 4100,
  tags: [{ key: 'quarter', value: 'Q4', aiExtracted: false }],
};

const updated = (view: object, changes: Record<string, unknown>, updatedBy = 'grace'): Outcome => ({
  status: 200,
  body: view,
  headers: { etag: '"1790000000000000"' },
  changes: { ...changes, version: 1790000000000000, requestId: 'request-1', updatedBy },
});

export const summary = 'What to do in the first week.';

/** The fixtures that are applied. */
export const updates: Readonly<Record<string, Outcome>> = {
  updated: updated(
    { ...detailed, summary, documentKind: 'checklist' },
    { summary, documentKind: 'checklist' },
  ),
  'updated-basic-shape': updated({ ...basic, documentKind: 'directory' }, { documentKind: 'directory' }),
  'updated-merge-patch': updated({ ...detailed, summary }, { summary }),
  'updated-base64': updated({ ...detailed, summary: 'Grüße 👋' }, { summary: 'Grüße 👋' }),
  'updated-empty-string': updated({ ...detailed, summary: '' }, { summary: '' }),
  'updated-by-owner': updated({ ...draft, documentKind: 'plan' }, { documentKind: 'plan' }, 'ada'),
  'updated-if-match': updated({ ...detailed, summary }, { summary }),
  cleared: updated({ ...detailed, summary: null }, { summary: undefined }),
  'cleared-both': updated(
    { ...detailed, summary: null, documentKind: null },
    { summary: undefined, documentKind: undefined },
  ),
  'set-and-cleared': updated(
    { ...detailed, summary, documentKind: null },
    { summary, documentKind: undefined },
  ),
  'updated-rest': updated(
    { ...detailed, summary, documentKind: 'checklist' },
    { summary, documentKind: 'checklist' },
  ),
  'cleared-rest': updated({ ...detailed, summary: null }, { summary: undefined }),
};
