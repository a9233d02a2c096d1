import * as z from 'zod';

const text = z.string().min(1);

/**
 * A file the suite may write. Its `documentKind` cannot be learnt without writing, so it must be stated. Whatever
 * else is stated is compared; what is not is taken from the first answer and must never change.
 */
const FileSchema = z.strictObject({
  id: text,
  documentKind: z.string().nullable(),
  originalName: text.optional(),
  language: text.optional(),
  domain: text.optional(),
  chunksCount: z.int().optional(),
  charactersCount: z.int().optional(),
  tags: z.array(z.strictObject({ key: z.string(), value: z.string(), aiExtracted: z.boolean() })).optional(),
});

/** The records and keys that the suite may use. Cases that need one that is absent are skipped. */
export const WorldSchema = z.strictObject({
  tenantId: text,
  /** May write in the public space, and owns none of the private ones. */
  userId: text,
  /** Owns the private space. */
  ownerId: text.optional(),
  otherTenantId: text.optional(),
  apiKeys: z.strictObject({
    editor: text,
    admin: text.optional(),
    viewer: text.optional(),
    otherScope: text.optional(),
    revoked: text.optional(),
    expired: text.optional(),
    otherTenant: text.optional(),
  }),
  spaces: z.strictObject({ public: text, private: text.optional(), otherTenant: text.optional() }),
  files: z.strictObject({
    detailed: FileSchema,
    basic: FileSchema.optional(),
    private: FileSchema.optional(),
    otherTenant: z.strictObject({ id: text }).optional(),
  }),
});
export type World = z.infer<typeof WorldSchema>;
