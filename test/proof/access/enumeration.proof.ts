import { expect, test } from 'vitest';
import { replayCommand, report } from '#test/proof/support/run.ts';
import { anEvent } from '#test/support/event.ts';
import { aFile, anApiKey, aSpace } from '#test/support/given.ts';
import { startService } from '#test/support/service.ts';
import { sha256 } from './engines/backend.ts';
import { openEngineTables } from './engines/engine-tables.ts';
import { recorded } from './engines/recorder.ts';

const replay = `Replay with: ${replayCommand('test/proof/access/enumeration.proof.ts')}`;

/** Another tenant's spaces of every kind, with and without the named file, next to one that nobody has. */
const foreign = [
  { spaceId: 'public', visibility: 'public', ownerId: 'ada' },
  { spaceId: 'private', visibility: 'private', ownerId: 'ada' },
  { spaceId: 'own', visibility: 'private', ownerId: 'grace' },
];

test('a space of another tenant cannot be told from one that never was', async () => {
  const tables = recorded(await openEngineTables('enumeration'));
  const { key, ...record } = anApiKey();
  await tables.put('apiKeys', { keyHash: sha256(key), ...record });
  for (const space of foreign) {
    await tables.put('spaces', aSpace({ tenantId: 'globex', ...space }));
    await tables.put('files', aFile({ spaceId: space.spaceId }));
  }

  /** Status, headers, body and the ordered calls, the id of the space aside. */
  const seen = async (spaceId: string, user: string, tenant: string) => {
    const service = startService(tables);
    const response = await service.send(
      anEvent({ spaceId, headers: { 'x-user-id': user, 'x-tenant-id': tenant } }),
    );
    return JSON.stringify({ response, calls: tables.take() }).replaceAll(spaceId, '?');
  };
  const before = await tables.everything();
  const views = { pairs: 0 };
  for (const tenant of ['acme', 'globex', 'initech'])
    for (const user of ['ada', 'grace']) {
      const unknown = await seen('nowhere', user, tenant);
      for (const { spaceId } of foreign) {
        views.pairs += 1;
        expect(await seen(spaceId, user, tenant), replay).toBe(unknown);
      }
    }
  expect(await tables.everything(), replay).toEqual(before);
  report('enumeration', { ...views, differences: 0 });
});
