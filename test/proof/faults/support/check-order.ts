import { type FileHistory, isAcknowledged, type Problem } from './history.ts';

/**
 * Versions tell the order of writes; clocks tell which request was over before another began. The two agree: what was
 * answered first has the lower version, and no version is given twice. A 412 counts as a look at the version it tells.
 */
export const checkOrder = ({ file, operations }: FileHistory): readonly Problem[] => {
  const placed = operations
    .flatMap((operation) =>
      operation.version === undefined ? [] : [{ ...operation, version: operation.version }],
    )
    .sort((a, b) => b.version - a.version);

  const problems: Problem[] = [];
  const given = new Set<number>();
  // From the newest version down: the first answer among all newer ones must not be before this one began.
  let firstAnswer = Number.POSITIVE_INFINITY;
  let newer: typeof placed = [];
  for (const operation of placed) {
    const { id, version, began, status } = operation;
    if (newer[0]?.version !== version) {
      firstAnswer = newer.reduce((first, { answered }) => Math.min(first, answered), firstAnswer);
      newer = [];
    }
    newer.push(operation);
    if (firstAnswer < began) problems.push({ rule: 'out of order', file, operation: id });
    if (status === 200 && given.has(version))
      problems.push({ rule: 'version given twice', file, operation: id });
    if (status === 200) given.add(version);
  }
  return problems;
};

/** A write with If-Match follows directly on one of the versions it named; a 412 names none of them. */
export const checkIfMatch = ({ file, before, operations }: FileHistory): readonly Problem[] => {
  const acknowledged = operations.filter(isAcknowledged).sort((a, b) => a.version - b.version);
  const ignored = acknowledged.filter(({ version, allowed }, index) => {
    const previous = acknowledged[index - 1]?.version ?? before.version;
    // Between the two may lie a write whose outcome nobody was told, and whose version a 412 has shown.
    return allowed && !allowed.some((match) => previous <= match && match < version);
  });
  const refused = operations.filter(
    ({ status, version, allowed }) => status === 412 && version !== undefined && allowed?.includes(version),
  );
  return [
    ...ignored.map(({ id }): Problem => ({ rule: 'If-Match ignored', file, operation: id })),
    ...refused.map(({ id }): Problem => ({ rule: 'wrongly refused', file, operation: id })),
  ];
};

/** Every answer came in time, and none refused what nothing forbade. */
export const checkAnswers = ({ file, operations }: FileHistory, stallMs: number): readonly Problem[] =>
  operations.flatMap(({ id, began, answered, limitMs, status, allowed }) => {
    const late = answered - began > limitMs + stallMs && Number.isFinite(answered);
    const refused = status >= 400 && status < 500 && !(status === 412 && allowed);
    return [
      ...(late ? [{ rule: 'answered late', file, operation: id } as const] : []),
      ...(refused ? [{ rule: 'wrongly refused', file, operation: id } as const] : []),
    ];
  });
