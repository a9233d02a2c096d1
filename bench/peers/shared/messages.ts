const editable = ['summary', 'documentKind'];
const readOnly = ['id', 'originalName', 'language', 'domain', 'chunksCount', 'charactersCount', 'tags'];

export const notAnObject = 'Request body must be a JSON object';
export const emptyPatch = `At least one of ${editable.join(', ')} must be provided`;

/** Why a field that is not editable is refused. */
export const fieldMessage = (name: string): string =>
  readOnly.includes(name)
    ? `Field "${name}" is not editable`
    : `Unknown field "${name}"; editable fields are ${editable.join(', ')}`;

export const typeMessage = (field: string): string => `${field} must be a string or null`;
export const lengthMessage = (field: string, max: number): string =>
  `${field} must be at most ${max} characters`;
