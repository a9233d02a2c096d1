import * as z from 'zod';

type Issue = { input?: unknown };

const says = (phrase: string) => ({
  error: ({ input }: Issue) => (input === undefined ? 'is required' : phrase),
});
const text = z.string(says('must be a string')).min(1, 'must not be empty');
const seconds = z.int(says('must be a whole number of epoch seconds')).min(0, 'must not be negative');
const count = z.int(says('must be a whole number')).min(0, 'must not be negative');

/** The API key as plain text. One that begins or ends with a space, or holds a comma, survives no HTTP header. */
const PlainKeySchema = z
  .string(says('must be a string'))
  .regex(
    /^(?! )[\x20-\x2b\x2d-\x7e]{1,512}(?<! )$/,
    'must be 1 to 512 printable ASCII characters without a comma and without a space at either end',
  );

const ApiKeySchema = z.looseObject(
  {
    key: PlainKeySchema,
    keyId: text.optional(),
    tenantId: text,
    scope: text,
    roles: z.array(text, says('must be a list of strings')),
    createdAt: seconds.optional(),
    expiresAt: seconds.optional(),
    revokedAt: seconds.optional(),
    name: text.optional(),
  },
  says('must be an object'),
);

const SpaceSchema = z.looseObject(
  {
    tenantId: text,
    spaceId: text,
    ownerId: text,
    visibility: z.enum(['private', 'public'], says('must be "private" or "public"')),
  },
  says('must be an object'),
);

const TagSchema = z.looseObject(
  {
    key: z.string(says('must be a string')),
    value: z.string(says('must be a string')),
    aiExtracted: z.boolean(says('must be true or false')),
  },
  says('must be an object'),
);

const detailNames = ['originalName', 'chunksCount', 'charactersCount'] as const;

const FileSchema = z
  .looseObject(
    {
      spaceId: text,
      fileId: text,
      summary: z.string(says('must be a string or null')).nullish(),
      language: text,
      documentKind: z.string(says('must be a string or null')).nullish(),
      domain: text,
      tags: z.array(TagSchema, says('must be a list')).default([]),
      originalName: text.optional(),
      chunksCount: count.optional(),
      charactersCount: count.optional(),
      version: count.optional(),
    },
    says('must be an object'),
  )
  .refine((file) => new Set(detailNames.map((name) => file[name] === undefined)).size === 1, {
    error: `must have all of ${detailNames.join(', ')} or none of them`,
  });

/** The data file of `npm start -- --data`. Attributes that are not named here are kept: records may hold more. */
export const DataSchema = z.strictObject(
  {
    apiKeys: z.array(ApiKeySchema, says('must be a list')).default([]),
    spaces: z.array(SpaceSchema, says('must be a list')).default([]),
    files: z.array(FileSchema, says('must be a list')).default([]),
  },
  {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `unknown list "${issue.keys[0]}"; known lists are apiKeys, spaces, files`
        : 'must be an object with the lists apiKeys, spaces, files',
  },
);
export type Data = z.infer<typeof DataSchema>;
