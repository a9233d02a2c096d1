import type { FileName } from './case.ts';

/** Where each file is, and who may write it there. */
export const homes: Readonly<Record<FileName, { space: string; file: string; user: string }>> = {
  detailed: { space: '{spaces.public}', file: '{files.detailed.id}', user: '{userId}' },
  basic: { space: '{spaces.public}', file: '{files.basic.id}', user: '{userId}' },
  private: { space: '{spaces.private}', file: '{files.private.id}', user: '{ownerId}' },
};
