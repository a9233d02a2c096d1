import { grants } from '#lib/domain/role.ts';
import type { Data } from './data.ts';

/** A file of the data, with an API key and a user that may update it. */
export type EditableFile = { key: string; tenantId: string; userId: string; spaceId: string; fileId: string };

/** The first file that a key of the data may update, if there is one. */
export const findEditableFile = ({ apiKeys, spaces, files }: Data): EditableFile | undefined => {
  const now = Date.now() / 1000;
  const usable = apiKeys.filter(
    ({ scope, roles, revokedAt, expiresAt = Number.POSITIVE_INFINITY }) =>
      scope === 'PRODUCT' && grants(roles, 'files:update') && revokedAt === undefined && expiresAt > now,
  );
  for (const { key, tenantId } of usable) {
    for (const space of spaces.filter((candidate) => candidate.tenantId === tenantId)) {
      const file = files.find(({ spaceId }) => spaceId === space.spaceId);
      if (file) return { key, tenantId, userId: space.ownerId, spaceId: space.spaceId, fileId: file.fileId };
    }
  }
  return undefined;
};

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/**
 * Requests to paste into a shell, each below a line that says what it does.
 *
 * @param showKey whether the key may be printed; otherwise the commands read it from $API_KEY
 */
export const exampleRequests = (file: EditableFile, baseUrl: string, showKey: boolean): string[] => {
  const ids = [file.spaceId, file.fileId].map(encodeURIComponent);
  const url = `${baseUrl}/v1/spaces/${ids[0]}/files/${ids[1]}`;
  const key = showKey ? file.key : '$API_KEY';
  const curl = (apiKey: string, body: string) =>
    `curl -i -X PATCH ${quote(url)} -H 'content-type: application/json' -H "x-api-key: ${apiKey}"` +
    ` -H ${quote(`x-tenant-id: ${file.tenantId}`)} -H ${quote(`x-user-id: ${file.userId}`)} -d ${quote(body)}`;
  return [
    ...(showKey ? [] : ['Set $API_KEY to the plain API key first.', '']),
    'Update the summary and keep the rest (200):',
    curl(key, '{"summary": "How the first day and the first week go."}'),
    '',
    'Clear the document kind with null (200):',
    curl(key, '{"documentKind": null}'),
    '',
    'Send an unknown API key (401):',
    curl('unknown', '{"summary": "Not stored."}'),
    '',
  ];
};
