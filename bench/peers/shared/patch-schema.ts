import { z } from 'zod';
import { badRequest, limits, messages } from './operation.ts';

const text = (field: keyof typeof limits) =>
  z
    .string({ error: messages.type(field) })
    .max(limits[field], { error: messages.length(field, limits[field]) })
    .nullable()
    .optional();

/** The schema of the body, imported and written as the documentation of zod and of the frameworks does it. */
export const filePatchSchema = z
  .strictObject(
    { summary: text('summary'), documentKind: text('documentKind') },
    {
      error: (issue) =>
        issue.code === 'unrecognized_keys' ? issue.keys.map(messages.field).join('; ') : messages.notAnObject,
    },
  )
  .refine((patch) => Object.keys(patch).length > 0, {
    error: messages.empty,
    when: ({ issues }) => issues.length === 0,
  });

/** The messages of all issues as one. */
export const rejectionOf = (issues: readonly { readonly message: string }[]) =>
  badRequest(issues.map(({ message }) => message).join('; '));
