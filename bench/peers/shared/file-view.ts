import type { FileRecord } from './records.ts';

/** What a client sees of a file: the detailed shape when the record has the details, else the basic one. */
export const toFileView = (file: FileRecord) => {
  const { fileId: id, originalName, language, domain, chunksCount, charactersCount } = file;
  const { summary = null, documentKind = null, tags = [] } = file;
  return originalName === undefined
    ? { id, summary, language, documentKind, domain, tags }
    : { id, originalName, summary, language, documentKind, domain, chunksCount, charactersCount, tags };
};
