import { readFileSync } from 'node:fs';
import * as z from 'zod';
import demo from './demo-fixture.json' with { type: 'json' };

const text = z.string().min(1);
/** An id or a key. Cases change the case of its letters, and send it in a path without encoding. */
const id = z.string().regex(/^[\w.~-]*[a-z][\w.~-]*$/i);

/**
 * A file that the cases may update. `documentKind` cannot be read without a write, so it must be stated. Other fields
 * are compared if they are stated.
 */
const FileSchema = z.looseObject({ id, documentKind: z.string().nullable().default(null) });

const keys = z.enum(['editor', 'admin', 'viewer', 'otherScope', 'revoked', 'expired', 'otherTenant']);
const FixtureSchema = z.strictObject({
  tenantId: id,
  /** May update files in the public space, and does not own the private one. */
  userId: text,
  /** Owns the private space. */
  ownerId: id,
  otherTenantId: text,
  apiKeys: z.record(keys, id),
  spaces: z.record(z.enum(['public', 'private', 'otherTenant']), id),
  files: z.record(z.enum(['detailed', 'basic', 'private', 'otherTenant']), FileSchema),
});

const { CONTRACT_URL, CONTRACT_FIXTURE, SMOKE_URL } = process.env;

/** One file of either shape, in one space of one user. The smoke test uses nothing else of the fixture. */
const readSmokeFixture = () => {
  const { SMOKE_TENANT, SMOKE_USER, SMOKE_API_KEY, SMOKE_SPACE, SMOKE_FILE, ...more } = z
    .object({ SMOKE_TENANT: id, SMOKE_USER: text, SMOKE_API_KEY: id, SMOKE_SPACE: id, SMOKE_FILE: id })
    .extend({ SMOKE_DOCUMENT_KIND: z.string().optional() })
    .parse(process.env);
  return {
    ...demo,
    tenantId: SMOKE_TENANT,
    userId: SMOKE_USER,
    apiKeys: { ...demo.apiKeys, editor: SMOKE_API_KEY },
    spaces: { ...demo.spaces, public: SMOKE_SPACE },
    files: { ...demo.files, detailed: { id: SMOKE_FILE, documentKind: more.SMOKE_DOCUMENT_KIND } },
  };
};
const readFixture = (): unknown => {
  if (SMOKE_URL !== undefined) return readSmokeFixture();
  return CONTRACT_FIXTURE === undefined ? demo : JSON.parse(readFileSync(CONTRACT_FIXTURE, 'utf8'));
};

/** The service to test; by default a local one. */
export const serviceUrl = SMOKE_URL ?? CONTRACT_URL;

/**
 * The records and keys that the cases use: those of the JSON file CONTRACT_FIXTURE, or of the SMOKE_ variables, or the
 * demo data of `npm start`.
 */
export const fixture = FixtureSchema.parse(readFixture());

/** Other forms of an id. */
export const swapCase = (text: string) =>
  [...text].map((c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase())).join('');
export const percentEncode = (text: string) =>
  Buffer.from(text).toString('hex').toUpperCase().replace(/../g, '%$&');
export const encodeTwice = (text: string) => percentEncode(text).replaceAll('%', '%25');
