import demo from '#tools/dev-server/demo-data.json' with { type: 'json' };
import type { Tables } from './tables.ts';

/** A record just under DynamoDB's 400 KB. */
const BIG_FILE_ID = 'b16f11e0-0000-4000-8000-000000000001';
/** A record that lost its language. */
export const BROKEN_FILE_ID = 'b20ce400-0000-4000-8000-000000000002';

const oddFiles: readonly Record<string, unknown>[] = [
  {
    spaceId: 'handbook',
    fileId: BIG_FILE_ID,
    language: 'en',
    domain: 'hr',
    tags: [],
    thumbnail: 'x'.repeat(400 * 1024 - 5_000),
  },
  { spaceId: 'handbook', fileId: BROKEN_FILE_ID, summary: 'No language.', domain: 'hr', tags: [] },
];

/** The demo data of `npm start`, and two records that only a test wants. Puts everything back as it was. */
export const seed = async ({ putApiKey, putSpace, putFile }: Tables): Promise<void> => {
  await Promise.all([
    ...demo.apiKeys.map(putApiKey),
    ...demo.spaces.map(putSpace),
    ...[...demo.files, ...oddFiles].map(putFile),
  ]);
};
