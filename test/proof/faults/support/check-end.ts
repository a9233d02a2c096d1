import { type FileHistory, fields, isAcknowledged, isUnknown, type Problem } from './history.ts';

/**
 * The record at the end is the last acknowledged write, or an unknown one after it; it names which. Attributes that
 * no answer shows are as they were.
 */
export const checkEnd = (history: FileHistory): readonly Problem[] => {
  const { file, before, operations, after, hidden } = history;
  const problem = (rule: Problem['rule']): Problem => ({ rule, file, operation: 'end' });
  const lastVersion = operations
    .filter(isAcknowledged)
    .reduce((last, { version }) => Math.max(last, version), before.version);
  const writer = operations.find(({ id }) => id === after.requestId);

  const isExplained = () => {
    if (after.version === before.version) return true;
    if (!writer) return false;
    if (writer.status === 200) return writer.version === after.version;
    const holdsItsValues = fields.every((field) => [undefined, after[field]].includes(writer.patch[field]));
    return isUnknown(writer) && after.version > lastVersion && holdsItsValues;
  };
  return [
    ...(after.version < lastVersion || !isExplained() ? [problem('end not explained')] : []),
    ...(hidden.before === hidden.after ? [] : [problem('field not sent was changed')]),
  ];
};
