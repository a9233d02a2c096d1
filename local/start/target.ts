import { grants } from '#lib/domain/api-key.ts';
import type { Data } from '#local/data/data.ts';

/** A file of the data, with a key and a user that may update it. */
export type Target = {
  apiKey: Data['apiKeys'][number];
  userId: string;
  spaceId: string;
  fileId: string;
};

/** The first file that a key of the data may update, or undefined when there is none. */
export const findTarget = ({ apiKeys, spaces, files }: Data): Target | undefined => {
  const now = Date.now() / 1000;
  for (const apiKey of apiKeys) {
    if (apiKey.revokedAt !== undefined || (apiKey.expiresAt ?? Number.POSITIVE_INFINITY) <= now) continue;
    if (apiKey.scope !== 'PRODUCT' || !grants(apiKey.roles, 'files:update')) continue;
    for (const { spaceId, ownerId } of spaces.filter(({ tenantId }) => tenantId === apiKey.tenantId)) {
      const file = files.find((candidate) => candidate.spaceId === spaceId);
      if (file !== undefined && isPlain(apiKey.tenantId, ownerId)) {
        return { apiKey, userId: ownerId, spaceId, fileId: file.fileId };
      }
    }
  }
  return undefined;
};

/** Fit for a header and for single quotes in a shell. */
const isPlain = (...ids: string[]): boolean => ids.every((id) => /^[\w.@:+-]{1,128}$/.test(id));
