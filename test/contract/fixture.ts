import { resolve } from 'node:path';
import * as z from 'zod';
import { toFileView } from '#lib/domain/file.ts';
import { check } from '#tools/cli.ts';
import { readData } from '#tools/dev-server/data.ts';
import { projectRoot } from '#tools/project.ts';

/** Ids and keys. Cases change the case of their letters, and send them in a path without encoding. */
const id = z.string().regex(/^[\w.~-]*[a-z][\w.~-]*$/i);
const KeySchema = z.object({
  key: id,
  tenantId: id,
  scope: z.string(),
  roles: z.array(z.string()),
  expiresAt: z.number().optional(),
  revokedAt: z.unknown().optional(),
});
const SpaceSchema = z.object({ tenantId: id, spaceId: id, ownerId: id, visibility: z.string() });
const FileSchema = z.looseObject({ spaceId: id, fileId: id });

const { CONTRACT_URL, CONTRACT_DATA, INIT_CWD = projectRoot } = process.env;
const demoData = 'tools/dev-server/demo-data.json';
const dataFile = CONTRACT_DATA ? resolve(INIT_CWD, CONTRACT_DATA) : resolve(projectRoot, demoData);

const pick = <Item>(what: string, items: readonly Item[], matches: (item: Item) => boolean): Item => {
  const found = items.find(matches);
  if (found === undefined) throw new Error(`${dataFile} has no ${what}`);
  return found;
};

/** Chooses the records for the cases by what they are, so that a data file needs no names for them. */
const readFixture = () => {
  const data = readData(dataFile);
  const keys = check(z.array(KeySchema), data.apiKeys);
  const allSpaces = check(z.array(SpaceSchema), data.spaces);
  const allFiles = check(z.array(FileSchema), data.files);

  const isExpired = ({ expiresAt }: (typeof keys)[number]) => (expiresAt ?? Infinity) * 1000 <= Date.now();
  const valid = keys.filter((key) => key.revokedAt === undefined && !isExpired(key));
  const product = valid.filter(({ scope }) => scope === 'PRODUCT');
  const editor = pick('valid API key of an editor', product, ({ roles }) => roles.includes('editor'));
  const { tenantId } = editor;
  const isOwn = (record: { tenantId: string }) => record.tenantId === tenantId;
  const ofRole = (name: string) =>
    pick(
      `valid API key with the role ${name} only`,
      product.filter(isOwn),
      ({ roles }) => `${roles}` === name,
    );
  const otherScope = pick('API key of another scope', valid.filter(isOwn), (key) => !product.includes(key));
  const revoked = pick('revoked API key', keys.filter(isOwn), (key) => key.revokedAt !== undefined);
  const expired = pick('expired API key', keys.filter(isOwn), isExpired);
  const otherTenant = pick('valid API key of another tenant', product, (key) => !isOwn(key));

  const ownSpaces = allSpaces.filter(isOwn);
  const publicSpace = pick('public space', ownSpaces, ({ visibility }) => visibility === 'public');
  const privateSpace = pick('private space', ownSpaces, ({ visibility }) => visibility === 'private');
  const otherSpace = pick(
    'space of the other tenant',
    allSpaces,
    (space) => space.tenantId === otherTenant.tenantId,
  );
  /** The view without `summary`, which earlier requests may have changed. */
  const file = (what: string, space: typeof publicSpace, matches = (_: object) => true) => {
    const ofSpace = allFiles.filter(({ spaceId }) => spaceId === space.spaceId);
    const { summary, ...stated } = toFileView(pick(what, ofSpace, matches));
    return stated;
  };
  return {
    tenantId,
    /** May update files in the public space, and owns no space. */
    userId: 'contract-suite',
    ownerId: privateSpace.ownerId,
    otherTenantId: otherTenant.tenantId,
    apiKeys: {
      editor: editor.key,
      admin: ofRole('admin').key,
      viewer: ofRole('viewer').key,
      otherScope: otherScope.key,
      revoked: revoked.key,
      expired: expired.key,
      otherTenant: otherTenant.key,
    },
    spaces: { public: publicSpace.spaceId, private: privateSpace.spaceId, otherTenant: otherSpace.spaceId },
    files: {
      detailed: file('file with originalName', publicSpace, (one) => 'originalName' in one),
      basic: file('file without originalName', publicSpace, (one) => !('originalName' in one)),
      private: file('file in the private space', privateSpace),
      otherTenant: file('file of the other tenant', otherSpace),
    },
  };
};

/** The service to test; by default a local one. */
export const serviceUrl = CONTRACT_URL || undefined;

/** The records and keys that the cases use: of the data file CONTRACT_DATA, or of the demo data of `npm start`. */
export const fixture = readFixture();

/** Other forms of an id. */
export const swapCase = (text: string) =>
  [...text].map((c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase())).join('');
export const percentEncode = (text: string) =>
  Buffer.from(text).toString('hex').toUpperCase().replace(/../g, '%$&');
export const encodeTwice = (text: string) => percentEncode(text).replaceAll('%', '%25');
