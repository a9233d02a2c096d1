import { resolve } from 'node:path';
import * as z from 'zod';
import { toFileView } from '#lib/domain/file.ts';
import { projectRoot } from '#tools/project.ts';
import { readData } from '#tools/tables/data.ts';

/** Ids and keys. Cases change the case of their letters, and send them in a path without encoding. */
const id = z.string().regex(/^[\w.~-]*[a-z][\w.~-]*$/i);
const RecordsSchema = z.object({
  apiKeys: z.array(
    z.looseObject({
      key: id,
      tenantId: id,
      scope: z.string(),
      roles: z.array(z.string()),
      expiresAt: z.number().default(Infinity),
    }),
  ),
  spaces: z.array(z.object({ tenantId: id, spaceId: id, ownerId: id, visibility: z.string() })),
  files: z.array(z.looseObject({ spaceId: id, fileId: id })),
});

const { CONTRACT_DATA, INIT_CWD = projectRoot } = process.env;
const demoData = resolve(projectRoot, 'tools/tables/demo-data.json');
const dataFile = CONTRACT_DATA ? resolve(INIT_CWD, CONTRACT_DATA) : demoData;
const { apiKeys, spaces, files } = RecordsSchema.parse(readData(dataFile));

/** Records are chosen by what they are, so that a data file needs no names for them. */
const pick = <Item>(what: string, items: readonly Item[], matches: (item: Item) => boolean): Item => {
  const found = items.find(matches);
  if (found === undefined) throw new Error(`${dataFile} has no ${what}`);
  return found;
};
const isRevoked = (key: object) => 'revokedAt' in key;
const isExpired = ({ expiresAt }: { expiresAt: number }) => expiresAt * 1000 <= Date.now();
const valid = apiKeys.filter((key) => !isRevoked(key) && !isExpired(key));
const usable = valid.filter(({ scope }) => scope === 'PRODUCT');
const editor = pick('API key of an editor', usable, ({ roles }) => roles.includes('editor'));
const isOwn = ({ tenantId }: { tenantId: string }) => tenantId === editor.tenantId;
const otherTenant = pick('API key of another tenant', usable, (key) => !isOwn(key));
const ownKey = (what: string, keys: typeof apiKeys, matches: (key: typeof editor) => boolean) =>
  pick(`${what} API key`, keys, (key) => isOwn(key) && matches(key)).key;
const ownSpace = (type: string) =>
  pick(`${type} space`, spaces, (space) => isOwn(space) && space.visibility === type);
const [publicSpace, privateSpace] = [ownSpace('public'), ownSpace('private')];
const otherSpace = pick('space of that tenant', spaces, ({ tenantId }) => tenantId === otherTenant.tenantId);

/** What a client sees of a file. Earlier requests may have changed its summary. */
const fileIn = ({ spaceId }: typeof publicSpace, what: string, matches = (_: object) => true) => {
  const file = pick(`${what} file in ${spaceId}`, files, (one) => one.spaceId === spaceId && matches(one));
  const { summary, ...stated } = toFileView(file);
  return stated;
};

/** The records and keys that the cases use: of the data file CONTRACT_DATA, or of the demo data of `npm start`. */
export const fixture = {
  tenantId: editor.tenantId,
  /** May update files in the public space, and owns no space. */
  userId: 'contract-suite',
  ownerId: privateSpace.ownerId,
  otherTenantId: otherTenant.tenantId,
  apiKeys: {
    editor: editor.key,
    admin: ownKey('admin', usable, ({ roles }) => roles.includes('admin')),
    viewer: ownKey('viewer', usable, ({ roles }) => `${roles}` === 'viewer'),
    otherScope: ownKey('INTERNAL', valid, ({ scope }) => scope !== 'PRODUCT'),
    revoked: ownKey('revoked', apiKeys, isRevoked),
    expired: ownKey('expired', apiKeys, isExpired),
    otherTenant: otherTenant.key,
  },
  spaces: { public: publicSpace.spaceId, private: privateSpace.spaceId, otherTenant: otherSpace.spaceId },
  files: {
    detailed: fileIn(publicSpace, 'detailed', (file) => 'originalName' in file),
    basic: fileIn(publicSpace, 'basic', (file) => !('originalName' in file)),
    private: fileIn(privateSpace, 'any'),
    otherTenant: fileIn(otherSpace, 'any'),
  },
};

/** Other forms of an id. */
export const swapCase = (text: string) =>
  [...text].map((c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase())).join('');
export const percentEncode = (text: string) =>
  Buffer.from(text).toString('hex').toUpperCase().replace(/../g, '%$&');
export const encodeTwice = (text: string) => percentEncode(text).replaceAll('%', '%25');
