import { createHash } from 'node:crypto';
import { refusalOfKey, refusalOfSpace } from './access.ts';
import type { ApiKeyRecord, SpaceRecord } from './records.ts';
import { badRequest, invalidKey } from './refusal.ts';
import type { Store } from './store.ts';

type ReadApiKey = (keyHash: string) => Promise<ApiKeyRecord | undefined>;
type ReadSpace = (key: { tenantId: string; spaceId: string }) => Promise<SpaceRecord | undefined>;

/** As commonly written: the key is read and checked, then the space. */
export const admitInTurn =
  (readApiKey: ReadApiKey, readSpace: ReadSpace): Store['admit'] =>
  async ({ apiKey, tenantId, userId, spaceId }) => {
    if (!userId) return badRequest('x-user-id is required');
    if (!tenantId) return badRequest('x-tenant-id is required');
    if (!apiKey) return invalidKey;
    const keyHash = createHash('sha256').update(apiKey).digest('hex');
    return (
      refusalOfKey(await readApiKey(keyHash), tenantId) ??
      refusalOfSpace(await readSpace({ tenantId, spaceId }), userId)
    );
  };
