import { aFile, aFileView, FILE_ID, FIRST_VERSION } from '#test/support/given.ts';

export const update = {
  spaceId: 'handbook',
  fileId: FILE_ID,
  patch: { summary: 'New.' },
  updatedBy: 'grace',
};
export const unconditional = { ...update, precondition: { kind: 'none' } } as const;

const stamp = { version: FIRST_VERSION, requestId: 'request-1', updatedBy: 'grace' };
/** The item as the table has it after the update, and what the store makes of that. */
export const Attributes = { ...aFile(), summary: 'New.', ...stamp };
export const updated = { file: aFileView({ summary: 'New.' }), version: FIRST_VERSION };
