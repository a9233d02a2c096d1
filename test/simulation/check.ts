import { finalFaults, rejections } from './faults.ts';
import { type FileState, initialFile, type Observed, type Run, type Scenario } from './simulate.ts';

/** The file as the callers can know it: after a write of unknown outcome its version is not known, only its bound. */
type Model =
  | {
      readonly exists: true;
      readonly summary: string | null;
      readonly documentKind: string | null;
      readonly version: number | undefined;
      readonly above: number;
    }
  | { readonly exists: false };

/** One thing in a history that takes effect at one moment between `start` and `end`, or perhaps never. */
type Action = {
  readonly start: number;
  readonly end: number;
  readonly optional: boolean;
  /** The file afterwards; undefined if it cannot have happened to this file. */
  readonly apply: (file: Model) => Model | undefined;
};

const known = ({ summary, documentKind, version }: FileState): Model => ({
  exists: true,
  summary,
  documentKind,
  version,
  above: version,
});

/** The file when its version is found to be this one; undefined if it cannot be. */
const pin = (file: Model & { exists: true }, version: number): Model | undefined => {
  if (file.version !== undefined) return file.version === version ? file : undefined;
  return version > file.above ? { ...file, version, above: version } : undefined;
};

const patched = (file: Model & { exists: true }, { patch }: Observed) => ({
  summary: patch.summary === undefined ? file.summary : patch.summary,
  documentKind: patch.documentKind === undefined ? file.documentKind : patch.documentKind,
});

/** The file before a write: its precondition holds. */
const matching = (file: Model, { ifMatchVersion }: Observed): (Model & { exists: true }) | undefined => {
  if (!file.exists) return undefined;
  const found = ifMatchVersion === undefined ? file : pin(file, ifMatchVersion);
  return found?.exists ? found : undefined;
};

const applyUpdate = (request: Observed) => (file: Model) => {
  const before = matching(file, request);
  if (!before) return undefined;
  const after = patched(before, request);
  const above = before.version ?? before.above;
  if (request.status !== 200) return { exists: true, ...after, version: undefined, above } as const;
  const { file: seen, etag = 0 } = request;
  const fits = seen?.summary === after.summary && seen?.documentKind === after.documentKind && etag > above;
  return fits ? known({ ...after, version: etag }) : undefined;
};

const lengthOf = (text: string | null) => text?.length ?? 0;

const applyRejection =
  (request: Observed, { maxCharacters = Number.POSITIVE_INFINITY }: Scenario) =>
  (file: Model): Model | undefined => {
    if (request.status === 404) return file.exists ? undefined : file;
    if (!file.exists) return undefined;
    if (request.status === 412)
      return request.etag === undefined || request.etag === request.ifMatchVersion
        ? undefined
        : pin(file, request.etag);
    const { summary, documentKind } = patched(file, request);
    return lengthOf(summary) + lengthOf(documentKind) > maxCharacters ? file : undefined;
  };

const isAccessError = ({ status, message }: Observed) =>
  status === 401 || status === 403 || message === 'Space not found';

const toActions = ({ observed, replacements }: Run, scenario: Scenario): Action[] => [
  ...observed
    .filter((request) => !isAccessError(request))
    .map((request) => {
      const { start, end, status } = request;
      if (status === 200) return { start, end, optional: false, apply: applyUpdate(request) };
      // No response, 500 or 503: it may take effect at any later time.
      if (status === 0 || status >= 500)
        return { start, end: Number.POSITIVE_INFINITY, optional: true, apply: applyUpdate(request) };
      return { start, end, optional: false, apply: applyRejection(request, scenario) };
    }),
  ...replacements.map(({ step, file }) => ({
    start: step,
    end: step,
    optional: false,
    apply: (before: Model) =>
      before.exists === (file === undefined)
        ? file
          ? known(file)
          : ({ exists: false } as const)
        : undefined,
  })),
];

const isFinal = (file: Model, final: FileState | undefined): boolean => {
  if (!file.exists || !final) return file.exists === (final !== undefined);
  return (
    file.summary === final.summary &&
    file.documentKind === final.documentKind &&
    pin(file, final.version) !== undefined
  );
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
      if (
        after &&
        search(
          left.filter((other) => other !== action),
          after,
        )
      )
        return true;
    }
    deadEnds.add(key);
    return false;
  };
  return search(actions, known(initialFile));
};

/** Whether there is a moment between start and end, both included, at which the access was as the response says. */
const accessProblem = (
  { access }: Run,
  { name, start, end, status, message }: Observed,
): string | undefined => {
  const during = access.filter((_, index) => {
    const next = access[index + 1]?.step ?? Number.POSITIVE_INFINITY;
    return (access[index]?.step ?? 0) <= end && next > start;
  });
  if (status === 401 && during.every(({ keyAllows }) => keyAllows))
    return `${name}: 401, but its key was valid`;
  if (status === 403 && during.every(({ spaceAllows }) => spaceAllows))
    return `${name}: 403, but the space was open`;
  if (message === 'Space not found') return `${name}: the space was always there`;
  if (status !== 200) return undefined;
  if (!during.some(({ keyAllows }) => keyAllows)) return `${name}: 200 with a revoked key`;
  if (!during.some(({ spaceAllows }) => spaceAllows)) return `${name}: 200 in a closed space`;
  return undefined;
};

/** A request is answered within its 5 s and the time given to an operation that does not settle. */
const MAX_MS = 5_200;

/** An error of the service needs a cause: a request without one must succeed or be rejected. */
const causeProblem = ({ isFrozen }: Run, { name, status, ms, readFaults, writeFaults }: Observed) => {
  if (status === 500)
    return [...readFaults, ...writeFaults].some((fault) => finalFaults.includes(fault))
      ? undefined
      : `${name}: 500 without a cause`;
  const isInDoubt = writeFaults.some((fault) => !rejections.includes(fault));
  const isLate = ms > MAX_MS - 1_000;
  return status !== 503 || isInDoubt || isLate || isFrozen ? undefined : `${name}: 503 without a cause`;
};

const requestProblem = (run: Run, request: Observed): string | undefined => {
  const { name, status, start, end, ms, effects } = request;
  if (status === 0) return `${name}: no response`;
  if (effects.length > 1) return `${name}: took effect ${effects.length} times`;
  if (status >= 400 && status < 500 && effects.length > 0) return `${name}: took effect and got a ${status}`;
  if (status === 200 && !effects.some((step) => step >= start && step <= end))
    return `${name}: 200 without an effect between start and response`;
  if (ms > MAX_MS && !run.isFrozen) return `${name}: response after ${ms} ms`;
  return undefined;
};

/** What a run breaks of the rule, in words; empty if it keeps it. The rule is in docs/decisions/001. */
export const check = (run: Run, scenario: Scenario): readonly string[] => {
  const problems = run.observed
    .flatMap((request) => [
      requestProblem(run, request),
      accessProblem(run, request),
      causeProblem(run, request),
      scenario.allSucceed && request.status !== 200 ? `${request.name}: ${request.status}` : undefined,
    ])
    .filter((problem) => problem !== undefined);
  if (!isLinearizable(toActions(run, scenario), run.finalFile)) problems.push('the responses fit no order');
  return problems;
};
