import { type FileView, toFileView } from '#lib/domain/file.ts';
import type { FilePatch } from '#lib/domain/file-patch.ts';
import demo from '#tools/dev-server/demo-data.json' with { type: 'json' };

const [detailedRecord, basicRecord] = demo.files;

/** Who calls, what for, and what marks the answer: true for the data that `npm start` begins with. */
export const example = {
  spaceId: 'handbook',
  fileId: '3f2b8c1e-6a4d-4c57-9e0f-1b7a2d9c5e80',
  tenantId: 'acme',
  userId: 'grace',
  apiKey: 'demo-editor-key',
  etag: '"1795230166767000"',
  requestId: 'ee395537-11cb-4d8e-a920-6c6d4f708a34',
} as const;

/** A file with every field. */
export const file: FileView = toFileView(detailedRecord);

type Example<Value> = { readonly summary: string; readonly value: Value };

const setAndCleared: FilePatch = { summary: 'What to do in the first week.', documentKind: null };
const setOne: FilePatch = { documentKind: 'directory' };

/** Bodies that are answered 200. */
export const patchExamples: Readonly<Record<string, Example<FilePatch>>> = {
  'set-and-clear': { summary: 'Sets the summary and clears the document kind', value: setAndCleared },
  'set-one': { summary: 'Sets the document kind and keeps the summary', value: setOne },
  'set-empty': { summary: 'Sets the summary to the empty string, which is a value', value: { summary: '' } },
};

/** A file of each shape, after the first and after the second of these bodies. */
export const fileExamples: Readonly<Record<string, Example<FileView>>> = {
  detailed: {
    summary: 'A file with its original name and its counts',
    value: toFileView({ ...detailedRecord, ...setAndCleared }),
  },
  basic: { summary: 'A file without them', value: toFileView({ ...basicRecord, ...setOne }) },
};
