import { type ClientOptions, createClient } from '#lib/client/client.ts';
import { NOW } from '#test/support/given.ts';

/** A client of the demo data's editor that waits for nothing; `waits` are the milliseconds it would have waited. */
export const aClient = (options: Pick<ClientOptions, 'baseUrl'> & Partial<ClientOptions>) => {
  const waits: number[] = [];
  const client = createClient({
    apiKey: 'demo-editor-key',
    tenantId: 'acme',
    userId: 'grace',
    now: () => NOW,
    random: () => 0.5,
    sleep: async (ms) => void waits.push(ms),
    ...options,
  });
  return { ...client, waits };
};

/** The demo file, and a change of it. */
export const anUpdate = {
  spaceId: 'handbook',
  fileId: '3f2b8c1e-6a4d-4c57-9e0f-1b7a2d9c5e80',
  patch: { summary: 'New.' },
} as const;

/** The demo file as a client sees it. */
export const aView = (overrides: Record<string, unknown> = {}) => ({
  id: '3f2b8c1e-6a4d-4c57-9e0f-1b7a2d9c5e80',
  originalName: 'onboarding.pdf',
  summary: 'New.',
  language: 'en',
  documentKind: 'guide',
  domain: 'hr',
  chunksCount: 12,
  charactersCount: 18_450,
  tags: [
    { key: 'audience', value: 'new hires', aiExtracted: true },
    { key: 'status', value: 'approved', aiExtracted: false },
  ],
  ...overrides,
});
