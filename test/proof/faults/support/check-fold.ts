import {
  type Field,
  type FileHistory,
  fields,
  isAcknowledged,
  isUnknown,
  type Operation,
  type Problem,
  type Snapshot,
} from './history.ts';

type Rule = Problem['rule'];
/** One look at the file at a version of its order: an acknowledged write, or the record at the end. */
type Step = Pick<Operation, 'id' | 'patch' | 'began' | 'answered'> & {
  readonly version: number;
  readonly snapshot: Snapshot;
};
/** Who sent which value of one field; clears have no value of their own to tell them by. */
type Writers = { readonly byValue: Map<string, Operation>; readonly clears: Set<Operation> };

const collectWriters = (operations: readonly Operation[], field: Field): Writers => {
  const writers: Writers = { byValue: new Map(), clears: new Set() };
  for (const operation of operations) {
    const value = operation.patch[field];
    if (typeof value === 'string') writers.byValue.set(value, operation);
    if (value === null && (isUnknown(operation) || operation.repeated)) writers.clears.add(operation);
  }
  return writers;
};

/**
 * Replays the acknowledged writes of a file in the order of their versions. Each must have left the fields it sent as
 * sent and the others as they were, save for writes whose outcome nobody was told: they may show, once they began,
 * and unless a newer write was acknowledged that began after they had ended. `slackMs` is the difference between the
 * writers' clocks, for which the fence makes no promise about them.
 */
export const checkFold = (history: FileHistory, slackMs: number): readonly Problem[] => {
  const { file, before, operations, after } = history;
  const writers = {
    summary: collectWriters(operations, 'summary'),
    documentKind: collectWriters(operations, 'documentKind'),
  };

  /** Why this write cannot be what was seen between `previous` and `step`; undefined when it can. */
  const objection = (
    writer: Operation,
    step: Step,
    previous: Step,
    newestBegan: number,
  ): Rule | undefined => {
    const { status, version = 0, repeated, began, answered } = writer;
    if (status >= 400 && status < 500) return 'refused but applied';
    if (status === 200 && version <= previous.version) return 'older value came back';
    if (status === 200 && !repeated) return 'out of order';
    if (began > step.answered) return 'value from the future';
    if (status !== 200 && newestBegan > answered + slackMs) return 'surfaced late';
    return undefined;
  };

  const explain = (field: Field, step: Step, previous: Step, newestBegan: number): Rule | undefined => {
    const seen = step.snapshot[field];
    const sent = step.patch[field];
    if (sent !== undefined) return seen === sent ? undefined : 'own write missing';
    if (seen === previous.snapshot[field]) return undefined;
    if (step.version === previous.version) return 'end not explained';
    const { byValue, clears } = writers[field];
    if (seen !== null) {
      const writer = byValue.get(seen);
      if (writer) return objection(writer, step, previous, newestBegan);
      return seen === before[field] ? 'older value came back' : 'value of nobody';
    }
    for (const clear of clears) {
      const rule = objection(clear, step, previous, newestBegan);
      if (rule === undefined) return undefined;
      // Steps only move on, so what is too old for this one is too old for all that follow.
      if (rule === 'surfaced late' || rule === 'older value came back') clears.delete(clear);
    }
    return 'older value came back';
  };

  const start = { id: 'start', patch: {}, began: Number.NEGATIVE_INFINITY, answered: 0 };
  const end = { id: 'end', patch: {}, began: Number.POSITIVE_INFINITY, answered: Number.POSITIVE_INFINITY };
  const steps: readonly Step[] = [
    ...operations.filter(isAcknowledged).sort((a, b) => a.version - b.version),
    { ...end, version: after.version, snapshot: after },
  ];

  const problems: Problem[] = [];
  const add = (rule: Rule, operation: string) => problems.push({ rule, file, operation });
  let previous: Step = { ...start, version: before.version, snapshot: before };
  let newestBegan = Number.NEGATIVE_INFINITY;
  for (const step of steps) {
    for (const field of fields) {
      const rule = explain(field, step, previous, newestBegan);
      if (rule) add(rule, step.id);
    }
    if (step.snapshot.rest !== before.rest) add('field not sent was changed', step.id);
    newestBegan = Math.max(newestBegan, step.began);
    previous = step;
  }
  return problems;
};
