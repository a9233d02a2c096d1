import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

const text = z.string().min(1);

/**
 * A file that the cases may update. `documentKind` cannot be read without a write, so it must be stated. Other fields
 * are compared where they are stated.
 */
const FileSchema = z.strictObject({
  id: text,
  documentKind: z.string().nullable().default(null),
  originalName: text.optional(),
  language: text.optional(),
  domain: text.optional(),
  chunksCount: z.int().optional(),
  charactersCount: z.int().optional(),
  tags: z.array(z.strictObject({ key: z.string(), value: z.string(), aiExtracted: z.boolean() })).optional(),
});

/** The records and keys that the cases use. Cases that need a missing one are skipped. */
const FixtureSchema = z.strictObject({
  tenantId: text,
  /** May update files in the public space, and does not own the private one. */
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
export type Fixture = z.infer<typeof FixtureSchema>;

const demoFile = join(import.meta.dirname, 'demo-fixture.json');

/**
 * The fixture of CONTRACT_FIXTURE, a JSON file or JSON itself; the demo data of `npm start` by default. CONTRACT_KEY
 * replaces its editor key. Errors never quote the content: it has keys.
 *
 * @throws {Error} when it cannot be read or is not a fixture
 */
export const readFixture = (env: NodeJS.ProcessEnv = process.env): Fixture => {
  const given = env['CONTRACT_FIXTURE'] ?? demoFile;
  const fixture = parse(given.startsWith('{') ? given : readFileSync(given, 'utf8'));
  const editor = env['CONTRACT_KEY'];
  const apiKeys = editor === undefined ? fixture['apiKeys'] : { ...Object(fixture['apiKeys']), editor };
  const parsed = FixtureSchema.safeParse({ ...fixture, apiKeys });
  if (parsed.success) return parsed.data;
  const names = parsed.error.issues.map(({ path, code }) => `${path.join('.')} (${code})`);
  throw new Error(
    `the fixture is not valid: ${names.join(', ')}; test/contract/demo-fixture.json is an example`,
  );
};

const parse = (json: string): Record<string, unknown> => {
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(json));
  } catch {
    throw new Error('the fixture is not a JSON object');
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

/** The base URL of CONTRACT_URL. @throws {Error} for one that is not an http or https URL without user, query and hash */
export const readBaseUrl = (url: string): URL => {
  const base = URL.parse(url);
  if (base !== null && /^https?:$/.test(base.protocol) && !base.username && !base.search && !base.hash)
    return base;
  throw new Error('CONTRACT_URL must be an http or https URL without user, query and fragment');
};
