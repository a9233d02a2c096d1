import * as z from 'zod';

const TagSchema = z.strictObject({ key: z.string(), value: z.string(), aiExtracted: z.boolean() });
const basic = {
  id: z.string(),
  summary: z.string().nullable(),
  language: z.string(),
  documentKind: z.string().nullable(),
  domain: z.string(),
  tags: z.array(TagSchema),
};

/** The two shapes of a file as docs/contract.md has them; the code's own schema stays out of this. */
export const BasicSchema = z.strictObject(basic);
export const DetailedSchema = z.strictObject({
  ...basic,
  originalName: z.string(),
  chunksCount: z.int(),
  charactersCount: z.int(),
});
