import type { Sent } from '../conformance/case.ts';
import { flatten } from '../conformance/flatten.ts';
import type { Answer, NoAnswer } from '../conformance/http/answer.ts';
import type { Client } from '../conformance/http/client.ts';
import { toHttpRequest } from '../conformance/http/request.ts';
import type { World } from '../conformance/world.ts';

/** The file as the suite names one that may have either shape. */
export const file = 'private';

type Ids = { tenant: string; user: string; space: string; file: string; documentKind: string | null };

/** The world that the options describe. The suite knows its one file by two names. */
export const toWorld = (ids: Ids, apiKey: string): World => {
  const record = { id: ids.file, documentKind: ids.documentKind };
  return {
    tenantId: ids.tenant,
    userId: ids.user,
    ownerId: ids.user,
    apiKeys: { editor: apiKey },
    spaces: { public: ids.space, private: ids.space },
    files: { detailed: record, private: record },
  };
};

/** What is checked. */
export type Target = { readonly baseUrl: URL; readonly world: World; readonly client: Client };

/** Sends a request about the file. */
export const ask = ({ client, world }: Target, sent: Sent): Promise<Answer | NoAnswer> => {
  const values = flatten(world);
  return client.send(toHttpRequest(sent, { file, lookUp: (name) => values.get(name) }));
};

/** No strong etag equals a weak one: with this a request that gets through writes nothing, and is answered 412. */
export const writesNothing = { 'if-match': 'W/"0"' } as const;
