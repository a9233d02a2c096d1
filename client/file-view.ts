/**
 * A file of the service. The optional fields are all present or all absent. A field that the service gains is optional
 * here: a service of an older version does not send it.
 */
export type FileView = {
  id: string;
  originalName?: string;
  summary: string | null;
  language: string;
  documentKind: string | null;
  domain: string;
  chunksCount?: number;
  charactersCount?: number;
  tags: { key: string; value: string; aiExtracted: boolean }[];
};

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
export const isText = (value: unknown): value is string => typeof value === 'string';
const isTextOrNull = (value: unknown) => value === null || isText(value);
const isCount = (value: unknown) => value === undefined || Number.isSafeInteger(value);
const isTag = (value: unknown) =>
  isObject(value) &&
  isText(value['key']) &&
  isText(value['value']) &&
  typeof value['aiExtracted'] === 'boolean';

const fits: { readonly [Field in keyof FileView]-?: (value: unknown) => boolean } = {
  id: isText,
  originalName: (value) => value === undefined || isText(value),
  summary: isTextOrNull,
  language: isText,
  documentKind: isTextOrNull,
  domain: isText,
  chunksCount: isCount,
  charactersCount: isCount,
  tags: (value) => Array.isArray(value) && value.every(isTag),
};
/** Whether a body has every field of a file. Other fields are ignored. */
export const isFileView = (body: unknown): body is FileView =>
  isObject(body) && Object.entries(fits).every(([field, fitsField]) => fitsField(body[field]));
