import { z } from 'zod';
import { emptyPatch, fieldMessage, lengthMessage, notAnObject, typeMessage } from './messages.ts';

const text = (field: string, max: number) =>
  z
    .string({ error: typeMessage(field) })
    .max(max, { error: lengthMessage(field, max) })
    .nullable()
    .optional();

/** The body's schema, imported and written as zod's and the frameworks' documentation do it. */
export const filePatchSchema = z
  .strictObject(
    { summary: text('summary', 10_000), documentKind: text('documentKind', 256) },
    {
      error: (issue) =>
        issue.code === 'unrecognized_keys' ? issue.keys.map(fieldMessage).join('; ') : notAnObject,
    },
  )
  .refine((patch) => Object.keys(patch).length > 0, {
    error: emptyPatch,
    when: ({ issues }) => issues.length === 0,
  });
