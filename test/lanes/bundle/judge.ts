import { isDeepStrictEqual } from 'node:util';
import { toFileView } from '#lib/domain/file.ts';
import { editableFields } from '#lib/domain/file-patch.ts';
import type { ApiResponse } from '#lib/http/responses.ts';
import { RECENT_WRITE_ATTRIBUTES, RECENT_WRITES } from '#lib/store/recent-writes.ts';
import type { Change } from '#test/support/changes.ts';
import { idsOf, newSummary, type Sent } from './lambda-function.ts';

/** A request, and what its caller got. */
export type Observed = {
  readonly fileId: string;
  /** The summary that it sets. Only its repetitions set the same. */
  readonly summary: string;
  readonly idempotencyKey?: string | undefined;
  /** None if the function ended before. */
  readonly response?: Pick<ApiResponse, 'statusCode' | 'headers' | 'body'> | undefined;
};

/** One request for a space that sets the usual summary. */
export const observe = ({ space, response }: Sent): Observed => ({
  fileId: idsOf(space).fileId,
  summary: newSummary(space),
  response,
});

const versionOf = (image: Change['after']) => Number(image?.['version'] ?? 0);

const updatedAttributes = [...editableFields, 'version', 'updatedBy', ...RECENT_WRITE_ATTRIBUTES];
/** What no update changes. */
const untouched = (image: Change['after'] = {}) =>
  Object.fromEntries(Object.entries(image).filter(([name]) => !updatedAttributes.includes(name)));

const isReplayed = ({ response }: Observed) => response?.headers['idempotency-replayed'] === 'true';
/** The status of the response; 0 if there is none. */
const statusOf = ({ response }: Observed) => response?.statusCode ?? 0;

type Rule = readonly [isKept: boolean, problem: string];

/** The rules for one file: for each of its updates, for each 200, and for all requests that set the same summary. */
const rulesOf = (updates: readonly Change[], requests: readonly Observed[]): readonly Rule[] => {
  const summaries = updates.map(({ after }) => after?.['summary']);
  const keyOf = new Map<unknown, string>(
    requests.map(({ summary, idempotencyKey = summary }) => [summary, idempotencyKey]),
  );
  const keys = summaries.map((summary) => keyOf.get(summary));
  const ofUpdates = updates.flatMap(({ before, after }, at): Rule[] => {
    const [version, key] = [versionOf(after), keys[at]];
    const remembered = keys.slice(Math.max(0, at - RECENT_WRITES), at);
    return [
      [version > versionOf(before), `version ${version} does not rise`],
      [isDeepStrictEqual(untouched(after), untouched(before)), `version ${version} changes other attributes`],
      [key !== undefined, `version ${version} is of no request`],
      [!remembered.includes(key), `version ${version}: ${key} took effect again`],
    ];
  });

  const indexOf = new Map(updates.map(({ after }, at) => [versionOf(after), at]));
  const of200 = requests.flatMap((request): Rule[] => {
    const { statusCode, headers = {}, body = '' } = request.response ?? {};
    if (statusCode !== 200) return [];
    const version = Number(headers['etag']?.slice(1, -1));
    const at = indexOf.get(version) ?? -1;
    const image = updates[at]?.after;
    const file = image && JSON.parse(JSON.stringify(toFileView(image)));
    const oldest = isReplayed(request) ? Math.max(0, at - RECENT_WRITES + 1) : at;
    const isOwn = summaries.slice(oldest, at + 1).includes(request.summary);
    return [
      [isDeepStrictEqual(JSON.parse(body), file), `200 with version ${version}: the stream has no such file`],
      [isOwn, `200 with version ${version}: the file does not remember ${request.summary}`],
    ];
  });

  const ofSummaries = [...Map.groupBy(requests, ({ summary }) => summary)].map(([summary, group]): Rule => {
    const effects = summaries.filter((one) => one === summary).length;
    const written = group.filter((request) => statusOf(request) === 200 && !isReplayed(request)).length;
    // One without a response, with a 5xx or with a replayed 200 may have taken effect once.
    const open = group.filter(
      (request) => /^[05]/.test(`${statusOf(request)}`) || isReplayed(request),
    ).length;
    const isPossible = effects >= written && effects <= written + open;
    return [isPossible, `${summary} took effect ${effects} times, with ${group.map(statusOf).join()}`];
  });
  return [...ofUpdates, ...of200, ...ofSummaries];
};

/**
 * Compares the changes of files, as the stream of their table has them, with what the callers got. The stream has every
 * effect, whatever the function says. Returns each disagreement in words.
 */
export const judge = (changes: readonly Change[], observed: readonly Observed[]): string[] => {
  // The test has created the files: these changes have no image before.
  const updatesOf = Map.groupBy(
    changes.filter(({ before }) => before),
    ({ after }) => String(after?.['fileId']),
  );
  const requestsOf = Map.groupBy(observed, ({ fileId }) => fileId);
  const files = new Set([...updatesOf.keys(), ...requestsOf.keys()]);
  return [...files]
    .flatMap((fileId) => rulesOf(updatesOf.get(fileId) ?? [], requestsOf.get(fileId) ?? []))
    .flatMap(([isKept, problem]) => (isKept ? [] : [problem]));
};
