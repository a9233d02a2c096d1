import type { FileView } from '#lib/domain/file.ts';
import type { FilePatch } from '#lib/domain/file-patch.ts';
import { grouped, limits } from '../limits.ts';

const kept =
  'A string sets it, `null` clears it, and when it is absent it stays as it is. Kept exactly as it is sent: no ' +
  'trimming, no normalisation, and `""` is a value. A lone surrogate is refused.';

const upTo = (characters: number) => `Up to ${grouped(characters)} characters (Unicode code points).`;

/** What the fields of a request mean. A new field does not compile without its words. */
export const patchWords: Readonly<Record<keyof FilePatch, string>> = {
  summary: `Short summary of the content. ${upTo(limits.summary)} ${kept}`,
  documentKind: `Kind of document. ${upTo(limits.documentKind)} ${kept}`,
};

/** What the fields of a file mean. */
export const fileWords: Readonly<Record<keyof FileView, string>> = {
  id: 'Identifier of the file: the `fileId` of the path.',
  originalName: 'Original name of the file.',
  summary: 'Short summary of the content; `null` when there is none.',
  language: 'Language code of the document.',
  documentKind: 'Kind of document; `null` when there is none.',
  domain: 'Subject domain of the document.',
  chunksCount: 'Number of chunks of the document.',
  charactersCount: 'Number of characters of the document.',
  tags: 'Tags of the file; an empty list when it has none.',
};

/** What the parts of a tag mean. */
export const tagWords: Readonly<Record<keyof FileView['tags'][number], string>> = {
  key: 'Name of the tag.',
  value: 'Value of the tag.',
  aiExtracted: 'Whether it was extracted automatically.',
};

/** What each schema as a whole is. */
export const schemaWords = {
  patch:
    'A partial update: what is sent is set, what is `null` is cleared, what is absent is kept. No field twice.',
  detailed: 'A file with its original name and its counts.',
  basic: 'A file of which neither original name nor counts are known.',
  tag: 'A tag of a file.',
  error: 'What every error says. Decide by the status: the message is for people.',
  message: 'What went wrong. Names fields, never values.',
} as const;
