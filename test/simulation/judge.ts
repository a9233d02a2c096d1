import { RECENT_WRITES } from '#lib/store/recent-writes.ts';
import { MAX_REQUEST_MS } from '#lib/times.ts';
import { isFinal, isRejection } from '#test/support/message-faults.ts';
import type { FileState, KnownLimit, Observed, Run, Scenario } from './model.ts';

type Remembered = { readonly key: string; readonly payload: string };
const writeOfOthers: Remembered = { key: '', payload: '' };

/** A state of the file, the steps in which it held, and what a file must remember in this state. */
type State = {
  readonly from: number;
  readonly until: number;
  readonly file: FileState | undefined;
  readonly memory: readonly Remembered[];
  /** Whether the file was created then. */
  readonly isCreated: boolean;
  /** Whether it was created with the remembered writes of an older copy. */
  readonly hasOldWrites: boolean;
};

/** A write of a request that was applied. */
type Effect = {
  readonly request: Observed;
  readonly before: State;
  readonly after: State;
  /** Whether it is a copy that the network has made of a message. */
  readonly isCopy: boolean;
};

/** A request with an idempotency key is the same as its repetitions. */
const identityOf = ({ name, idempotencyKey, patch }: Observed): Remembered => ({
  key: idempotencyKey ?? `the request ${name}`,
  payload: JSON.stringify(Object.entries(patch).toSorted()),
});

const find = ({ memory }: State, request: Observed): Remembered | undefined => {
  const { key } = identityOf(request);
  return memory.find((remembered) => remembered.key === key);
};

/** What the table went through: the one order in which everything took effect. */
const toHistory = ({ snapshots }: Run) => {
  const states: State[] = [];
  const effects: Effect[] = [];
  for (const [index, snapshot] of snapshots.entries()) {
    const { step, file, writes, request, isCopy = false, hasOldWrites = false } = snapshot;
    const before = states.at(-1);
    const written = request ? [identityOf(request)] : Array(writes).fill(writeOfOthers);
    // A file that is created remembers nothing.
    const memory = writes === 0 ? [] : [...written, ...(before?.memory ?? [])].slice(0, RECENT_WRITES);
    const until = snapshots[index + 1]?.step ?? Number.POSITIVE_INFINITY;
    const after = {
      from: step,
      until,
      file,
      memory,
      isCreated: index > 0 && writes === 0 && file !== undefined,
      hasOldWrites,
    };
    if (before && request) effects.push({ request, before, after, isCopy });
    states.push(after);
  }
  return { states, effects };
};
type History = ReturnType<typeof toHistory>;

/** The known limits of docs/contract.md: the exact condition under which an effect shows each of them. */
const limits: { readonly [limit in KnownLimit]: (effect: Effect, history: History) => boolean } = {
  // The idempotency key took effect before, and the file no longer remembers it.
  'key forgotten': ({ request, before, after }, { effects }) =>
    request.idempotencyKey !== undefined &&
    !find(before, request) &&
    effects.some(
      (other) => other.request.idempotencyKey === request.idempotencyKey && other.after.from < after.from,
    ),
  // The file was created again while the request was on its way, with a version below one that it had sent.
  'file created again': ({ request, after }, { states }) =>
    states.some(
      ({ from, file, isCreated }) =>
        isCreated &&
        from <= Math.max(request.end, after.from) &&
        [...request.sent].some(([version, sentAt]) => sentAt < from && version > (file?.version ?? 0)),
    ),
  // While the request was on its way, the file was created with the remembered writes of an older copy.
  'file created with old writes': ({ request, after }, { states }) =>
    states.some(
      ({ from, hasOldWrites }) =>
        hasOldWrites && from > request.start && from <= Math.max(request.end, after.from),
    ),
  // After a 5xx of the request, a later one was applied to the same file, with a lower version: one of their clocks was wrong.
  'later write replaced': ({ request, after }, { effects, states }) =>
    effects.some(
      (other) =>
        other.request.start > request.end &&
        other.after.from < after.from &&
        !states.some(({ from, isCreated }) => isCreated && from > other.after.from && from <= after.from),
    ),
  // The service sees one response, and cannot know of a copy. What a copy may do is judged like any other effect.
  'message delivered twice': ({ isCopy }) => isCopy,
};

const patched = ({ summary, documentKind }: FileState, { patch }: Observed) => ({
  summary,
  documentKind,
  ...patch,
});

/** Whether a response shows the file as it is in this state. */
const shows = ({ file: seen, etag }: Observed, { file }: State): boolean =>
  file !== undefined &&
  seen?.summary === file.summary &&
  seen.documentKind === file.documentKind &&
  etag === file.version;

/** Whether an effect is what its request asked for, on a file that may have it. */
const isAsAsked = ({ request, before, after }: Effect): boolean => {
  if (!before.file || !after.file || after.file.version <= before.file.version) return false;
  const { summary, documentKind } = patched(before.file, request);
  const isMatched = request.ifMatchVersions?.includes(before.file.version) ?? true;
  return isMatched && after.file.summary === summary && after.file.documentKind === documentKind;
};

const lengthOf = (text: string | null) => text?.length ?? 0;

/** Whether a rejection, or a replayed response, is true in a state. */
const isTrueIn = (state: State, request: Observed, { maxCharacters = Number.NaN }: Scenario): boolean => {
  const { file } = state;
  const { status, etag, ifMatchVersions } = request;
  if (status === 404) return !file;
  if (!file) return false;
  if (status === 412) return etag === file.version && !(ifMatchVersions?.includes(etag) ?? true);
  const { summary, documentKind } = patched(file, request);
  if (status === 413) return lengthOf(summary) + lengthOf(documentKind) > maxCharacters;
  const remembered = find(state, request);
  const isSamePayload = remembered?.payload === identityOf(request).payload;
  if (status === 422) return remembered !== undefined && !isSamePayload;
  return status === 200 && isSamePayload && shows(request, state);
};

/** Whether all clocks have the same time. */
const haveSameTime = ({ clocksAheadMs = [], processFaults = [] }: Scenario): boolean =>
  clocksAheadMs.every((ms) => ms === 0) && !processFaults.some((fault) => fault.startsWith('clock'));

/** Whether each etag that it lists is one that the file had before it started. */
const hasReadEtag = ({ ifMatch }: Observed): boolean => ifMatch === 'initial' || ifMatch === 'newest';

/** The last steps of a simulation take a few milliseconds more than a request may. */
const MAX_MS = MAX_REQUEST_MS + 10;

/** What a request breaks of the rule, in words, and the known limits that it shows. */
const judgeRequest = (run: Run, history: History, request: Observed, scenario: Scenario) => {
  const { states, effects } = history;
  const { name, status, message, start, end, ms, wasFrozen, replayed, readFaults, writeFaults } = request;
  const own = effects.filter((effect) => effect.request === request);
  /** Those that took effect between start and end. */
  const inTime = own.filter(({ after }) => after.from >= start && after.from <= end);
  const isDuring = ({ from, until }: { from: number; until: number }) => from <= end && until > start;
  const access = run.access
    .map((change, index) => {
      const until = run.access[index + 1]?.step ?? Number.POSITIVE_INFINITY;
      return { ...change, from: change.step, until };
    })
    .filter(isDuring);
  const isAccessError = status === 401 || status === 403 || message === 'Space not found';
  const isRejected = status >= 400 && status < 500;
  const isWritten = inTime.some(({ after }) => shows(request, after));
  /** Whether the response was true in a state during the request. */
  const isTrue = states.some((state) => isDuring(state) && isTrueIn(state, request, scenario));
  const isInDoubt = writeFaults.some((fault) => !isRejection(fault));
  /** Whether another request with the same key took effect before the response. */
  const isRepeated = effects.some(
    ({ request: other, after }) =>
      other !== request && identityOf(other).key === identityOf(request).key && after.from <= end,
  );
  /**
   * Effects that the response excludes. For example, a request starts at step 2 and is applied at step 4. It gets 200 at
   * step 5, and another attempt of it is applied at step 7. The response allows the effect at step 4, and excludes
   * the one at step 7. A 412 at step 5 would exclude both, and a 503 the later one.
   */
  const excluded = isRejected ? own : own.filter((effect) => effect !== (status === 200 ? inTime : own)[0]);
  const isShown = (limit: KnownLimit) => own.some((effect) => limits[limit](effect, history));
  const allowing = (
    ['file created again', 'file created with old writes', 'message delivered twice'] as const
  ).filter(isShown);

  const problems: readonly (readonly [isBroken: boolean, problem: string])[] = [
    [status === 0, 'no response'],
    [ms > MAX_MS && !wasFrozen, `response after ${ms} ms`],
    [
      excluded.length > 0 && allowing.length === 0,
      `${status} at step ${end}, and effects at steps ${own.map(({ after }) => after.from).join()}`,
    ],
    [
      isShown('later write replaced') && haveSameTime(scenario),
      'replaced a later write, although all clocks agree',
    ],
    [
      isShown('later write replaced') && hasReadEtag(request),
      'replaced a later write, although it had an etag that its caller had read',
    ],
    [own.some(({ before }) => find(before, request)), 'took effect although the file must remember it'],
    [!own.every(isAsAsked), 'had another effect than it asked for'],
    [status === 200 && !replayed && !isWritten, '200 that shows another state than it left'],
    [status === 200 && replayed && !isTrue, 'replayed 200 that was true at no moment'],
    [status === 200 && replayed && !isInDoubt && !isRepeated, 'replayed 200 without an earlier attempt'],
    [isRejected && !isAccessError && !isTrue, `${status} that was true at no moment`],
    [status === 200 && !access.some(({ keyAllows }) => keyAllows), '200 with a revoked key'],
    [status === 200 && !access.some(({ spaceAllows }) => spaceAllows), '200 in a closed space'],
    [status === 401 && access.every(({ keyAllows }) => keyAllows), '401, but its key was valid'],
    [status === 403 && access.every(({ spaceAllows }) => spaceAllows), '403, but the space was open'],
    [message === 'Space not found', 'the space was always there'],
    [status === 500 && ![...readFaults, ...writeFaults].some(isFinal), '500 without a cause'],
    [status === 503 && !isInDoubt && !wasFrozen && ms <= MAX_MS - 1_000, '503 without a cause'],
    [scenario.allSucceed === true && status !== 200, `${status}, but it must succeed`],
  ];
  return {
    problems: problems.filter(([isBroken]) => isBroken).map(([, problem]) => `${name}: ${problem}`),
    limits: [
      ...(['key forgotten', 'later write replaced'] as const).filter(isShown),
      ...(excluded.length > 0 ? allowing : []),
    ],
  };
};

/**
 * What a run breaks of the rule (docs/decisions/001), in words; empty if it keeps it. Nothing is excused: each known
 * limit of docs/contract.md is an exact condition on an effect, and is told apart.
 */
export const judge = (run: Run, scenario: Scenario) => {
  const history = toHistory(run);
  const judgments = run.observed.map((request) => judgeRequest(run, history, request, scenario));
  return {
    problems: judgments.flatMap(({ problems }) => problems),
    limits: [...new Set(judgments.flatMap(({ limits }) => limits))],
  };
};
