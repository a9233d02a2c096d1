import { type Case, type Sent, usualBody } from './case.ts';
import { fixture } from './fixture.ts';

const { spaces, files } = fixture;
const locations = {
  detailed: { spaceId: spaces.public, fileId: files.detailed.id, user: fixture.userId },
  basic: { spaceId: spaces.public, fileId: files.basic.id, user: fixture.userId },
  private: { spaceId: spaces.private, fileId: files.private.id, user: fixture.ownerId },
};

/** The file of a case, and a user that may update it. */
export const locate = ({ file, stored }: Pick<Case, 'file' | 'stored'>) =>
  stored
    ? { spaceId: String(stored['spaceId']), fileId: String(stored['fileId']), user: fixture.userId }
    : locations[file];

export type Etags = { readonly etag: string; readonly stale: string };
/**
 * A whole request about a file: a valid update, with what a case changes.
 *
 * @param etags take the place of `{etag}` and `{stale}`; `{version}` is `{etag}` without its quotes
 */
export const completeRequest = (
  oneCase: Pick<Case, 'file' | 'stored'>,
  sent: Sent,
  etags: Etags = { etag: '', stale: '' },
) => {
  const { spaceId, fileId, user } = locate(oneCase);
  const usual = {
    'content-type': 'application/json',
    'x-api-key': fixture.apiKeys.editor,
    'x-tenant-id': fixture.tenantId,
    'x-user-id': user,
  };
  const { space = encodeURIComponent(spaceId), file = encodeURIComponent(fileId) } = sent;
  const { body = usualBody, headers: changed } = sent;
  const headers = Object.entries({ ...usual, ...changed }).flatMap(([name, values]) =>
    (values === null ? [] : [values].flat()).map(
      (value) =>
        [
          name,
          value
            .replace('{etag}', etags.etag)
            .replace('{stale}', etags.stale)
            .replaceAll('{version}', etags.etag.replaceAll('"', '')),
        ] as const,
    ),
  );
  const { method = 'PATCH', path = `/v1/spaces/${space}/files/${file}`, query = '' } = sent;
  return { method, path: path + query, space, file, headers, body };
};
