import { finalFaults, rejections } from './faults.ts';
import { type FileState, initialFile, type Observed, type Run, type Scenario } from './simulate.ts';

/** The file as the callers can know it: after a write of unknown outcome its version is not known, only its bound. */
type KnownFile = Omit<FileState, 'version'> & {
  readonly version: number | undefined;
  readonly above: number;
};
/** null if there is no file. */
type Model = KnownFile | null;

/** One thing in a history that takes effect at one moment between `start` and `end`, or perhaps never. */
type Action = {
  readonly start: number;
  readonly end: number;
  readonly optional: boolean;
  /** The file afterwards; undefined if it cannot have happened to this file. */
  readonly apply: (file: Model) => Model | undefined;
};

const known = (file: FileState): KnownFile => ({ ...file, above: file.version });

/** The file when its version is found to be this one; undefined if it cannot be. */
const pin = (file: KnownFile, version: number): KnownFile | undefined => {
  if (file.version !== undefined) return file.version === version ? file : undefined;
  return version > file.above ? { ...file, version, above: version } : undefined;
};

const patched = ({ summary, documentKind }: KnownFile, { patch }: Observed) => ({
  summary,
  documentKind,
  ...patch,
});

const isSeen = (file: KnownFile, seen: Observed['file'] | null): boolean =>
  seen?.summary === file.summary && seen.documentKind === file.documentKind;

/** An update whose result nobody saw. */
const applyUnseen = (request: Observed) => (file: Model) => {
  const { ifMatchVersion } = request;
  const before = file && (ifMatchVersion === undefined ? file : pin(file, ifMatchVersion));
  if (!before) return undefined;
  return { ...patched(before, request), version: undefined, above: before.version ?? before.above };
};

const applyUpdate = (request: Observed) => (file: Model) => {
  const { file: seen, etag = 0 } = request;
  const after = applyUnseen(request)(file);
  return after && isSeen(after, seen) && etag > after.above ? known({ ...after, version: etag }) : undefined;
};

const lengthOf = (text: string | null) => text?.length ?? 0;

const applyRejection =
  (request: Observed, { maxCharacters = Number.POSITIVE_INFINITY }: Scenario) =>
  (file: Model): Model | undefined => {
    if (request.status === 404) return file ? undefined : null;
    if (!file) return undefined;
    if (request.status === 412)
      return request.etag === undefined || request.etag === request.ifMatchVersion
        ? undefined
        : pin(file, request.etag);
    const { summary, documentKind } = patched(file, request);
    return lengthOf(summary) + lengthOf(documentKind) > maxCharacters ? file : undefined;
  };

const isAccessError = ({ status, message }: Observed) =>
  status === 401 || status === 403 || message === 'Space not found';

/** The requests with the idempotency key of a request, or else itself alone. */
const groupOf = ({ name, idempotencyKey }: Observed, observed: readonly Observed[]) =>
  observed.filter((one) =>
    idempotencyKey === undefined ? one.name === name : one.idempotencyKey === idempotencyKey,
  );

/** A replayed response is a read: the file is as it was answered. */
const applyRead =
  ({ file: seen, etag = 0 }: Observed) =>
  (file: Model) =>
    file && isSeen(file, seen) ? pin(file, etag) : undefined;

const toActions = ({ observed, replacements }: Run, scenario: Scenario): Action[] => [
  ...observed
    .filter((request) => !isAccessError(request))
    .flatMap((request) => {
      const { start, end, status, etag } = request;
      // No response, 500 or 503: it may take effect at any later time.
      if (status === 0 || status >= 500)
        return [{ start, end: Number.POSITIVE_INFINITY, optional: true, apply: applyUnseen(request) }];
      if (status !== 200) return [{ start, end, optional: false, apply: applyRejection(request, scenario) }];
      const succeeded = groupOf(request, observed).filter((one) => one.status === 200);
      const isFirst = succeeded.every((one) => one.end >= end);
      const firstStart = Math.min(...groupOf(request, observed).map((one) => one.start));
      const isWritten = succeeded.some((one) => !one.replayed && one.etag === etag && one.end < end);
      if (!request.replayed && !isWritten)
        return [{ start: firstStart, end, optional: false, apply: applyUpdate(request) }];
      // The effect is in another response, or nobody saw it, or it was on a file that was deleted since.
      const isUnseen = isFirst && succeeded.every(({ replayed }) => replayed);
      const last = isUnseen ? end : Number.POSITIVE_INFINITY;
      const effect = { start: firstStart, end: last, optional: !isUnseen, apply: applyUnseen(request) };
      const read = { start, end, optional: false, apply: applyRead(request) };
      return isUnseen || request.effects.length > 0 ? [effect, read] : [read];
    }),
  ...replacements.map(({ step, file = null, writes }) => ({
    start: step,
    end: step,
    optional: false,
    // A file is overwritten or deleted, or one is created where there was none.
    apply: (before: Model) => (before && file && writes === 0 ? undefined : file && known(file)),
  })),
];

const isFinal = (file: Model, final: FileState | undefined): boolean => {
  if (!file || !final) return !file && !final;
  return isSeen(file, final) && pin(file, final.version) !== undefined;
};

/**
 * Whether one order explains everything that callers saw: each action at one moment between its start and its end (Wing
 * and Gong, "Testing and verifying concurrent objects", 1993; dead ends are remembered as Lowe does).
 */
const isLinearizable = (actions: readonly Action[], final: FileState | undefined): boolean => {
  const deadEnds = new Set<string>();
  const search = (left: readonly Action[], file: Model): boolean => {
    if (left.every(({ optional }) => optional) && isFinal(file, final)) return true;
    const key = `${left.map((action) => actions.indexOf(action)).join()} ${JSON.stringify(file)}`;
    if (deadEnds.has(key)) return false;
    const firstEnd = Math.min(...left.map(({ end }) => end));
    for (const action of left) {
      // Something else had ended before it started.
      if (action.start > firstEnd) continue;
      const after = action.apply(file);
      const others = left.filter((other) => other !== action);
      if (after !== undefined && search(others, after)) return true;
    }
    deadEnds.add(key);
    return false;
  };
  return search(actions, known(initialFile));
};

/** A request is answered within its 5 s and the time given to an operation that does not settle. */
const MAX_MS = 5_200;

/** What a request breaks of the rule by itself. */
const problemsOf = (
  { access, isFrozen, observed, replacements }: Run,
  request: Observed,
  { allSucceed = false }: Scenario,
) => {
  const { name, status, message, start, end, ms, effects, readFaults, writeFaults } = request;
  /** The access at the moments between start and end, both included. */
  const during = access.filter(({ step }, index) => {
    const next = access[index + 1]?.step ?? Number.POSITIVE_INFINITY;
    return step <= end && next > start;
  });
  const isRejected = status >= 400 && status < 500;
  const isInDoubt = writeFaults.some((fault) => !rejections.includes(fault));
  const group = groupOf(request, observed);
  const firstStart = Math.min(...group.map((one) => one.start));
  const all = group.flatMap((one) => one.effects).toSorted((a, b) => a - b);
  const others = observed.filter((one) => !group.includes(one)).flatMap((one) => one.effects);
  const isTwice = all.slice(1).some((step, index) => {
    const isBetween = (other: number) => other > (all[index] ?? 0) && other < step;
    const between = replacements.filter((one) => isBetween(one.step));
    const writes = others.filter(isBetween).length + between.reduce((sum, one) => sum + one.writes, 0);
    // A file remembers its last eight writes, and a new file none.
    const isForgotten = writes >= 8 || between.some((one) => one.writes === 0);
    // The rest is a known limit: nobody else can know about a message that the network delivers twice.
    const isPossible = effects.length <= 1 || writeFaults.includes('duplicate');
    return !(isForgotten && isPossible);
  });
  const isFinalFault = (fault: string) => finalFaults.includes(fault);
  const problems: readonly (readonly [isBroken: boolean, problem: string])[] = [
    [status === 0, 'no response'],
    [ms > MAX_MS && !isFrozen, `response after ${ms} ms`],
    [isTwice, `took effect at steps ${all.join()}`],
    [isRejected && effects.length > 0, `took effect and got a ${status}`],
    [
      status === 200 && !all.some((step) => step >= firstStart && step <= end),
      '200 without an effect between the first start and the response',
    ],
    [status === 200 && !during.some(({ keyAllows }) => keyAllows), '200 with a revoked key'],
    [status === 200 && !during.some(({ spaceAllows }) => spaceAllows), '200 in a closed space'],
    [status === 401 && during.every(({ keyAllows }) => keyAllows), '401, but its key was valid'],
    [status === 403 && during.every(({ spaceAllows }) => spaceAllows), '403, but the space was open'],
    [message === 'Space not found', 'the space was always there'],
    [status === 500 && ![...readFaults, ...writeFaults].some(isFinalFault), '500 without a cause'],
    [status === 503 && !isInDoubt && ms <= MAX_MS - 1_000 && !isFrozen, '503 without a cause'],
    [allSucceed && status !== 200, `${status}, but it must succeed`],
  ];
  return problems.filter(([isBroken]) => isBroken).map(([, problem]) => `${name}: ${problem}`);
};

/** What a run breaks of the rule, in words; empty if it keeps it. The rule is in docs/decisions/001. */
export const check = (run: Run, scenario: Scenario): readonly string[] => {
  const problems = run.observed.flatMap((request) => problemsOf(run, request, scenario));
  const isExplained = isLinearizable(toActions(run, scenario), run.finalFile);
  return isExplained ? problems : [...problems, 'the responses fit no order'];
};
