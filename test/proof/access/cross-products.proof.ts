import { beforeAll, describe, expect, test } from 'vitest';
import { replayCommand, report } from '#test/proof/support/run.ts';
import { anEvent } from '#test/support/event.ts';
import { aFile, anApiKey, aSpace, NOW } from '#test/support/given.ts';
import { startService } from '#test/support/service.ts';
import { type Backend, type Contents, sha256 } from './engines/backend.ts';
import { differencesBetween } from './engines/differences.ts';
import { openEngineTables } from './engines/engine-tables.ts';

const replay = `Replay with: ${replayCommand('test/proof/access/cross-products.proof.ts')}`;

const tenants = ['acme', 'globex', 'initech'];
const numbers = [1, 2, 3];
const spaces = tenants.flatMap((tenantId) => numbers.map((n) => ({ tenantId, spaceId: `${tenantId}-${n}` })));
/** Three files per space; the first has the same id in every space of every tenant. */
const files = spaces.flatMap(({ tenantId, spaceId }) =>
  ['twin', `${spaceId}-a`, `${spaceId}-b`].map((fileId) => ({ tenantId, spaceId, fileId })),
);

let tables: Backend;
let service: ReturnType<typeof startService>;
let sent = 0;
let before: Contents;

beforeAll(async () => {
  tables = await openEngineTables('cross');
  service = startService(tables, { now: () => NOW + sent });
  for (const tenantId of tenants) {
    const { key: _, ...record } = anApiKey({ tenantId });
    await tables.put('apiKeys', { keyHash: sha256(`key of ${tenantId}`), ...record });
  }
  for (const space of spaces) await tables.put('spaces', aSpace(space));
  for (const { spaceId, fileId } of files) await tables.put('files', aFile({ spaceId, fileId }));
  before = await tables.everything();
});

/** Sends one request; gives its answer and every record of any table that is not as before. */
const send = async (keyOf: string, tenantId: string, spaceId: string, fileId: string) => {
  sent += 1;
  const response = await service.send(
    anEvent({
      headers: { 'x-api-key': `key of ${keyOf}`, 'x-tenant-id': tenantId },
      spaceId,
      fileId,
      body: `{"summary":"request ${sent}"}`,
    }),
  );
  const after = await tables.everything();
  const changed = differencesBetween(before, after);
  before = after;
  return {
    response: { ...response, headers: { ...response.headers, 'x-request-id': '' } },
    status: response.statusCode,
    changed,
  };
};

describe('of all that can be named together', () => {
  test('only a key and its own tenant write; to a key, existing and invented tenants are alike', async () => {
    let refused = 0;
    for (const keyOf of tenants) {
      const invented = await send(keyOf, 'invented', `${keyOf}-1`, 'twin');
      expect([invented.status, invented.changed], replay).toEqual([403, []]);
      for (const tenantId of tenants) {
        const got = await send(keyOf, tenantId, `${tenantId}-1`, 'twin');
        if (tenantId === keyOf)
          expect([got.status, got.changed], replay).toEqual([200, [`files["${keyOf}-1","twin"]`]]);
        else expect(got, replay).toEqual(invented);
        refused += tenantId === keyOf ? 0 : 1;
      }
    }
    report('tenants x keys', { pairs: tenants.length ** 2, refused, 'written for others': 0 });
  });

  test('only the own triples of tenant, space and file write, and only the named file changes', async () => {
    const counts = { triples: 0, written: 0 };
    for (const tenantId of tenants)
      for (const space of spaces)
        for (const file of files) {
          // A twin is one file id in nine spaces: naming it once per space is enough.
          if (file.fileId === 'twin' && file.spaceId !== space.spaceId) continue;
          const own = space.tenantId === tenantId;
          const its = file.spaceId === space.spaceId;
          const got = await send(tenantId, tenantId, space.spaceId, file.fileId);
          const message = own ? 'File not found' : 'Space not found';
          const name = `${tenantId} ${space.spaceId} ${file.fileId}\n${replay}`;
          if (own && its) expect(got.changed, name).toEqual([`files["${space.spaceId}","${file.fileId}"]`]);
          else expect([got.changed, JSON.parse(got.response.body)], name).toEqual([[], { message }]);
          expect(got.status, name).toBe(own && its ? 200 : 404);
          counts.triples += 1;
          counts.written += got.changed.length;
        }
    expect(counts.written, replay).toBe(files.length);
    report('tenants x spaces x files', { ...counts, 'written for others': 0 });
  });
});

test('a space id that two tenants hold is entered by the rules of the caller’s own tenant', async () => {
  await tables.put('spaces', aSpace({ tenantId: 'globex', spaceId: 'acme-2', ownerId: 'grace' }));
  await tables.put('spaces', aSpace({ tenantId: 'acme', spaceId: 'acme-2', visibility: 'private' }));
  before = await tables.everything();
  expect(await send('acme', 'acme', 'acme-2', 'twin'), replay).toMatchObject({ status: 403, changed: [] });
});
