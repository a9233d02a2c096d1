import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

const text = z.string().min(1);

/**
 * A file that the cases may update. `documentKind` cannot be read without a write, so it must be stated. Other fields
 * are compared if they are stated.
 */
const FileSchema = z.looseObject({ id: text, documentKind: z.string().nullable().default(null) });

/** The records and keys that the cases use. Cases that need a missing one are skipped. */
const FixtureSchema = z.strictObject({
  tenantId: text,
  /** May update files in the public space, and does not own the private one. */
  userId: text,
  /** Owns the private space. */
  ownerId: text.optional(),
  otherTenantId: text.optional(),
  /** Also `admin`, `viewer`, `otherScope`, `revoked`, `expired` and `otherTenant`. */
  apiKeys: z.object({ editor: text }).catchall(text),
  /** Also `private` and `otherTenant`. */
  spaces: z.object({ public: text }).catchall(text),
  files: z.strictObject({
    detailed: FileSchema,
    basic: FileSchema.optional(),
    private: FileSchema.optional(),
    otherTenant: FileSchema.optional(),
  }),
});
export type Fixture = z.infer<typeof FixtureSchema>;

/**
 * The fixture of CONTRACT_FIXTURE, a JSON file or JSON itself; the demo data of `npm start` by default. CONTRACT_KEY
 * replaces its editor key.
 *
 * @throws {Error} when it cannot be read or does not fit; the message does not quote it, because it has keys
 */
export const readFixture = (): Fixture => {
  const { CONTRACT_FIXTURE: given = join(import.meta.dirname, 'demo-fixture.json'), CONTRACT_KEY: editor } =
    process.env;
  const json = given.startsWith('{') ? given : readFileSync(given, 'utf8');
  const parsed = z.looseObject({ apiKeys: z.looseObject({}) }).parse(parseJson(json));
  return FixtureSchema.parse({
    ...parsed,
    apiKeys: { ...parsed.apiKeys, ...(editor !== undefined && { editor }) },
  });
};

const parseJson = (json: string): unknown => {
  try {
    return JSON.parse(json);
  } catch {
    throw new Error('the fixture is not valid JSON');
  }
};

/** A fixture for the smoke test: one file, which may have either shape, in one space of one user. */
export const toSmokeFixture = ({ tenantId, userId, apiKeys, spaces, files }: Fixture): Fixture => ({
  tenantId,
  userId,
  ownerId: userId,
  apiKeys: { editor: apiKeys.editor },
  spaces: { public: spaces.public, private: spaces.public },
  files: { detailed: files.detailed, private: files.detailed },
});
