import { hash } from 'node:crypto';
import type { RequestToken } from '#lib/domain/file.ts';

/** Bytes of the longest sort key (AWS, "Quotas in Amazon DynamoDB"); a partition key may be longer. */
const MAX_KEY_BYTES = 1024;

/** Whether an item could exist under this id. If not, the id is unknown without asking. */
export const isStorable = (id: string): boolean =>
  id !== '' && id.isWellFormed() && Buffer.byteLength(id) <= MAX_KEY_BYTES;

/** API keys are stored by their hash alone: hex SHA-256 of the key as sent. */
export const hashApiKey = (apiKey: string): string => hash('sha256', apiKey, 'hex');

/** Tenant first: a space of another tenant cannot even be named. */
export const spaceKey = ({ tenantId, spaceId }: { tenantId: string; spaceId: string }) => ({
  tenantId,
  spaceId,
});

/** Two plain attributes, never a joined string: no id can collide with another. */
export const fileKey = ({ spaceId, fileId }: { spaceId: string; fileId: string }) => ({ spaceId, fileId });

type Repeatable = {
  readonly tenantId: string;
  readonly userId: string;
  readonly idempotencyKey: string | undefined;
  readonly patch: object;
};

/** 66 bits of a hash. */
const shortHash = (value: unknown): string => hash('sha256', JSON.stringify(value), 'base64url').slice(0, 11);

/**
 * What marks the writes of a request. With an Idempotency-Key, the id is a hash of key, tenant and user, so that a
 * repeated request has the same id; the key itself is not stored. Otherwise it is the first half of the id of this
 * request, a UUID. It is short, because a file keeps eight of them.
 */
export const toRequestToken = (
  { tenantId, userId, idempotencyKey, patch }: Repeatable,
  requestId: string,
): RequestToken =>
  idempotencyKey === undefined
    ? { id: requestId.replaceAll('-', '').slice(0, 16), payloadHash: '', invocation: '' }
    : {
        id: shortHash([tenantId, userId, idempotencyKey]),
        payloadHash: shortHash(Object.entries(patch).toSorted()),
        invocation: requestId.slice(-6),
      };
