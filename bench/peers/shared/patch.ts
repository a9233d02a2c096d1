import * as z from 'zod/mini';

const text = (max: number) => z.optional(z.nullable(z.string().check(z.maxLength(max))));
/** The body of a request. */
export const PatchSchema = z
  .strictObject({ summary: text(10_000), documentKind: text(256) })
  .check(z.refine((patch) => Object.keys(patch).length > 0));
export type Patch = z.infer<typeof PatchSchema>;
