import { grants } from '#lib/domain/api-key.ts';
import type { Data } from '#local/data/data.ts';
import { findTarget, type Target } from './target.ts';

type Example = { says: string; command: string };
type ApiKey = Data['apiKeys'][number];

/**
 * Requests to paste that are true for the data: one that updates, one that clears, one that is refused. None when no
 * key of the data may update any of its files. `showKeys` is for the demo data; anybody else's keys are not printed.
 */
export const examplesFor = (data: Data, baseUrl: string, { showKeys }: { showKeys: boolean }): Example[] => {
  const target = findTarget(data);
  if (target === undefined) return [];
  const path = `/v1/spaces/${toSegment(target.spaceId)}/files/${toSegment(target.fileId)}`;
  const keyText = ({ key }: ApiKey) => (showKeys ? key : '$API_KEY');
  const curl = (key: string, body: string) =>
    `curl -i -X PATCH '${baseUrl}${path}' -H 'content-type: application/json' -H "x-api-key: ${key}"` +
    ` -H 'x-tenant-id: ${target.apiKey.tenantId}' -H 'x-user-id: ${target.userId}' -d '${body}'`;
  const key = keyText(target.apiKey);
  const refused = showKeys ? findRefusedKey(data, target) : undefined;
  return [
    {
      says: 'Updates the summary and keeps the rest (200):',
      command: curl(key, '{"summary": "How the first day and the first week go."}'),
    },
    { says: 'Clears the document kind with null (200):', command: curl(key, '{"documentKind": null}') },
    refused === undefined
      ? { says: 'Is refused, for the key is unknown (401):', command: curl('unknown', '{"summary": "No."}') }
      : {
          says: 'Is refused, for the key may not update files (403):',
          command: curl(keyText(refused), '{"summary": "No."}'),
        },
  ];
};

const findRefusedKey = ({ apiKeys }: Data, { apiKey }: Target): ApiKey | undefined =>
  apiKeys.find(
    ({ tenantId, scope, roles, revokedAt, expiresAt }) =>
      tenantId === apiKey.tenantId &&
      scope === 'PRODUCT' &&
      !grants(roles, 'files:update') &&
      revokedAt === undefined &&
      expiresAt === undefined,
  );

/** A path segment that single quotes in a shell can hold. */
const toSegment = (id: string): string => encodeURIComponent(id).replaceAll("'", '%27');
