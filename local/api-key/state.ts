import type { StoredKey } from './store.ts';

type Ends = Pick<StoredKey, 'expiresAt' | 'revokedAt'>;

/** What a key is good for at `now`, in epoch seconds; as the function decides it. */
export const stateOf = ({ revokedAt, expiresAt }: Ends, now: number): 'active' | 'expired' | 'revoked' => {
  if (revokedAt !== undefined) return 'revoked';
  return expiresAt !== undefined && expiresAt <= now ? 'expired' : 'active';
};

/** The same for a reader, with the time of a revocation. */
export const stateText = (key: Ends, now: number): string => {
  const state = stateOf(key, now);
  return state === 'revoked' && typeof key.revokedAt === 'number'
    ? `revoked ${toTimeText(key.revokedAt)}`
    : state;
};

/** When a key expires, for a reader. */
export const expiryText = (expiresAt: number | undefined): string =>
  expiresAt === undefined ? 'never' : toTimeText(expiresAt);

/** `2030-01-31T00:00:00Z`. */
export const toTimeText = (epochSeconds: number): string =>
  new Date(epochSeconds * 1000).toISOString().replace('.000Z', 'Z');
