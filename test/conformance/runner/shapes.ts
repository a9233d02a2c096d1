import * as z from 'zod';
import type { Editable, FileName } from '../case.ts';
import type { World } from '../world.ts';

/** An answer as far as the suite must understand it to know what a file holds. */
export const EditableSchema = z.looseObject({
  summary: z.string().nullable(),
  documentKind: z.string().nullable(),
});

const TagSchema = z.strictObject({ key: z.string(), value: z.string(), aiExtracted: z.boolean() });
const basic = {
  id: z.string(),
  summary: z.string().nullable(),
  language: z.string(),
  documentKind: z.string().nullable(),
  domain: z.string(),
  tags: z.array(TagSchema),
};
const detailed = { ...basic, originalName: z.string(), chunksCount: z.int(), charactersCount: z.int() };

/** The two shapes of docs/contract.md. The private file may have either: the record decides. */
export const shapes: Readonly<Record<FileName, z.ZodType>> = {
  detailed: z.strictObject(detailed),
  basic: z.strictObject(basic),
  private: z.union([z.strictObject(detailed), z.strictObject(basic)]),
};

/** The whole of a file: what was found of it, what the world states, and the two values in question. */
export const toView = (
  found: Readonly<Record<string, unknown>>,
  { stated, editable }: { stated: World['files']['basic']; editable: Editable },
): unknown => {
  const { documentKind: _, ...facts } = stated ?? {};
  return { ...found, ...facts, ...editable };
};
