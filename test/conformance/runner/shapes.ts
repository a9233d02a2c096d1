import * as z from 'zod';
import { BasicSchema, DetailedSchema } from '#test/support/file-shapes.ts';
import type { Editable, FileName } from '../case.ts';
import type { World } from '../world.ts';

/** An answer as far as the suite must understand it to know what a file holds. */
export const EditableSchema = z.looseObject({
  summary: z.string().nullable(),
  documentKind: z.string().nullable(),
});

/** The two shapes of docs/contract.md. The private file may have either: the record decides. */
export const shapes: Readonly<Record<FileName, z.ZodType>> = {
  detailed: DetailedSchema,
  basic: BasicSchema,
  private: z.union([DetailedSchema, BasicSchema]),
};

/** The whole of a file: what was found of it, what the world states, and the two values in question. */
export const toView = (
  found: Readonly<Record<string, unknown>>,
  { stated, editable }: { stated: World['files']['basic']; editable: Editable },
): unknown => {
  const { documentKind: _, ...facts } = stated ?? {};
  return { ...found, ...facts, ...editable };
};
