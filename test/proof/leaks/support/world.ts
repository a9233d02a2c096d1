import { hashApiKey } from '#lib/store/keys.ts';
import { anEvent } from '#test/support/event.ts';
import type { Tables } from '#test/support/tables.ts';

/** Every secret of this world holds this word or is one of the hashes: what must not leave is found by looking for it. */
export const CANARY = 'CANARY';

export const LANES = 64;
const tenants = ['acme', 'globex', 'initech'];
export const tenantOf = (lane: number): string => tenants[lane % tenants.length] ?? '';
export const keyOf = (lane: number): string => `sfk_${CANARY}-KEY-${tenantOf(lane)}`;
const revokedKey = `sfk_${CANARY}-KEY-revoked`;
export const secretHashes: readonly string[] = [keyOf(0), keyOf(1), keyOf(2), revokedKey].map(hashApiKey);

/** One request at a time goes to each lane's file, so that its answer can hold no other text than its own. */
export const idsOf = (lane: number) => ({ spaceId: `lane-${lane}-space`, fileId: `lane-${lane}-file` });
export const summaryOf = (lane: number, turn: number): string => `${CANARY}-lane${lane}-${turn};`;
export const ownSummary = (lane: number): RegExp => new RegExp(`${CANARY}-lane${lane}-\\d+;`, 'g');

const poison = Object.fromEntries(
  Array.from({ length: 30 }, (_, n) => [
    `poison${n}`,
    n % 2 ? `${CANARY}-POISON-${n}` : { inner: [`${CANARY}-${n}`] },
  ]),
);

const fileOf = (lane: number, overrides: Record<string, unknown> = {}) => ({
  ...idsOf(lane),
  originalName: `${tenantOf(lane)}.pdf`,
  summary: summaryOf(lane, 0),
  language: 'en',
  domain: tenantOf(lane),
  chunksCount: lane,
  charactersCount: 100 + lane,
  tags: [{ key: 'of', value: tenantOf(lane), aiExtracted: true, [`${CANARY}-tag`]: CANARY }],
  version: 7,
  requestId: `${CANARY}-REQUEST`,
  updatedBy: `${CANARY}-USER`,
  ...poison,
  ...overrides,
});

/** Fills the tables: per lane an open space, a closed one, a file, and a record that fits no shape. */
export const fillWorld = async (tables: Tables): Promise<void> => {
  const key = (lane: number, more: Record<string, unknown> = {}) =>
    tables.putApiKey({
      key: keyOf(lane),
      keyId: `key-of-${tenantOf(lane)}`,
      tenantId: tenantOf(lane),
      scope: 'PRODUCT',
      roles: ['editor'],
      createdAt: 1,
      ...poison,
      ...more,
    });
  await Promise.all([
    key(0),
    key(1),
    key(2),
    key(0, { key: revokedKey, keyId: 'key-revoked', revokedAt: 1 }),
  ]);
  for (let lane = 0; lane < LANES; lane += 1) {
    const space = { tenantId: tenantOf(lane), ownerId: `${CANARY}-OWNER`, ...poison };
    const { spaceId } = idsOf(lane);
    await Promise.all([
      tables.putSpace({ ...space, spaceId, visibility: 'public' }),
      tables.putSpace({ ...space, spaceId: `${spaceId}-closed`, visibility: 'private' }),
      tables.putFile(fileOf(lane)),
      tables.putFile(fileOf(lane, { fileId: `lane-${lane}-broken`, language: 7 })),
    ]);
  }
};

/** A request of the lane that is answered 200, changed by the overrides. */
export const laneEvent = (lane: number, overrides: Parameters<typeof anEvent>[0] = {}) =>
  anEvent({
    ...idsOf(lane),
    ...overrides,
    headers: {
      'x-api-key': keyOf(lane),
      'x-tenant-id': tenantOf(lane),
      'x-user-id': `user-of-${tenantOf(lane)}`,
      authorization: `Bearer ${CANARY}`,
      cookie: `session=${CANARY}`,
      ...overrides.headers,
    },
    extra: { rawQueryString: `q=${CANARY}`, queryStringParameters: { q: CANARY }, ...overrides.extra },
  });
export const revokedHeaders = { 'x-api-key': revokedKey };
