import demo from '#tools/tables/demo-data.json' with { type: 'json' };
import { aBasicFile, replayedFile } from './given.ts';
import type { Tables } from './tables.ts';

/** Just under DynamoDB's 400 KB. */
const largeFile = aBasicFile({
  fileId: 'b16f11e0-0000-4000-8000-000000000001',
  thumbnail: 'x'.repeat(400 * 1024 - 5_000),
});
const { language: _, ...brokenFile } = aBasicFile({ fileId: 'b20ce400-0000-4000-8000-000000000002' });

/** Puts the demo data of `npm start`, and three records that only a test wants. */
export const seed = async ({ putApiKey, putSpace, putFile }: Tables): Promise<void> => {
  await Promise.all([
    ...demo.apiKeys.map(putApiKey),
    ...demo.spaces.map(putSpace),
    ...[largeFile, replayedFile, brokenFile].map(putFile),
    restoreFiles({ putFile }),
  ]);
};

/** Puts the demo files back as they were: no event changes another record. */
export const restoreFiles = async ({ putFile }: Pick<Tables, 'putFile'>): Promise<void> => {
  await Promise.all(demo.files.map(putFile));
};
