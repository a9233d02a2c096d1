import { isDeepStrictEqual } from 'node:util';
import { toFileView } from '#lib/domain/file.ts';
import type { ApiResponse } from '#lib/http/responses.ts';
import type { Change } from '#test/support/changes.ts';
import { idsOf, newSummary, type Sent } from './harness.ts';

/** How many updates a file remembers. */
const MEMORY = 8;

/** A request, and what its caller got. */
export type Observed = {
  readonly fileId: string;
  /** The summary that it sets. Only its repetitions set the same. */
  readonly summary: string;
  readonly idempotencyKey?: string | undefined;
  /** None if the function ended before. */
  readonly response?: Pick<ApiResponse, 'statusCode' | 'headers' | 'body'> | undefined;
};

/** One request for a lane that sets the usual summary. */
export const observe = ({ lane, ...response }: Sent): Observed => ({
  fileId: idsOf(lane).fileId,
  summary: newSummary(lane),
  response,
});

const versionOf = (image: Change['after']) => Number(image?.['version'] ?? 0);

/** What no update changes. */
const untouched = (image: Change['after'] = {}) =>
  Object.fromEntries(
    Object.entries(image).filter(([name]) => !/^(summary|documentKind|version|updatedBy|w[1-8])$/.test(name)),
  );

/** What the caller got, in short. */
const read = (observed: Observed) => {
  const { statusCode = 0, headers = {}, body = '' } = observed.response ?? {};
  const isReplayed = headers['idempotency-replayed'] === 'true';
  const version = Number(headers['etag']?.slice(1, -1));
  return { ...observed, statusCode, version, body, isReplayed, isWritten: statusCode === 200 && !isReplayed };
};

/**
 * Compares the changes of files, as the stream of their table has them, with what the callers got. The stream has every
 * effect, whatever the function says. Returns each disagreement in words.
 */
export const disagreements = (changes: readonly Change[], observed: readonly Observed[]): string[] => {
  const problems: string[] = [];
  const expectThat = (isTrue: boolean, problem: string) => void (isTrue || problems.push(problem));
  const requestsOf = Map.groupBy(observed.map(read), ({ fileId }) => fileId);
  const changesOf = Map.groupBy(changes, ({ before, after }) => String((after ?? before)?.['fileId']));

  for (const fileId of new Set([...requestsOf.keys(), ...changesOf.keys()])) {
    const [requests, history] = [requestsOf.get(fileId) ?? [], changesOf.get(fileId) ?? []];
    const indexOf = new Map(history.map(({ after }, at) => [versionOf(after), at]));
    const effectsOf = Map.groupBy(history, ({ before, after }) => before && String(after?.['summary']));
    const keyOf = new Map(
      requests.map(({ summary, idempotencyKey }) => [summary, idempotencyKey ?? summary]),
    );
    const lastOf = new Map<string, number>();
    for (const [at, { before, after }] of history.entries()) {
      // The test has created the file.
      if (!before) continue;
      const version = versionOf(after);
      expectThat(version > versionOf(before), `version ${version} does not rise`);
      const isKept = isDeepStrictEqual(untouched(after), untouched(before));
      expectThat(isKept, `version ${version} changes other attributes`);
      const key = keyOf.get(String(after?.['summary']));
      if (key === undefined) {
        problems.push(`version ${version} is of no request`);
        continue;
      }
      const since = at - (lastOf.get(key) ?? Number.NEGATIVE_INFINITY);
      expectThat(since > MEMORY, `version ${version}: ${key} took effect again, after ${since - 1} others`);
      lastOf.set(key, at);
    }

    for (const { summary, statusCode, version, body, isReplayed } of requests) {
      if (statusCode !== 200) continue;
      const at = indexOf.get(version) ?? -1;
      const image = history[at]?.after;
      const shows =
        image && isDeepStrictEqual(JSON.parse(body), JSON.parse(JSON.stringify(toFileView(image))));
      expectThat(shows === true, `200 with version ${version}: the stream has no such file`);
      const remembered = history.slice(isReplayed ? Math.max(0, at - MEMORY + 1) : at, at + 1);
      const isOwn = remembered.some(({ after }) => after?.['summary'] === summary);
      expectThat(isOwn, `200 with version ${version}: ${summary} is not among ${remembered.length} changes`);
    }

    const written = requests.filter(({ isWritten }) => isWritten);
    for (const [version, { length }] of Map.groupBy(written, (one) => one.version))
      expectThat(length === 1, `version ${version}: ${length} requests have written it`);

    for (const [summary, group] of Map.groupBy(requests, (one) => one.summary)) {
      const effects = effectsOf.get(summary)?.length ?? 0;
      const least = group.filter(({ isWritten }) => isWritten).length;
      // One without a response, with a 5xx or with a replayed 200 may have taken effect once.
      const open = group.filter((one) => !one.response || one.statusCode >= 500 || one.isReplayed).length;
      const statuses = group.map(({ statusCode }) => statusCode).join();
      const isPossible = effects >= least && effects <= least + open;
      expectThat(isPossible, `${summary} took effect ${effects} times, with ${statuses}`);
    }
  }
  return problems;
};
