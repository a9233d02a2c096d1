/** What the user can put right: its message is the one sentence shown, without a stack. */
export class Complaint extends Error {
  override readonly name = 'Complaint';
}

/** The message of whatever was thrown, on one line. */
export const reasonOf = (thrown: unknown): string => {
  const message = thrown instanceof Error ? thrown.message || thrown.name : String(thrown);
  return message.replace(/\s+/g, ' ').trim();
};

/** The system's error code (`ENOENT`, `EADDRINUSE`) of whatever was thrown, or undefined where it has none. */
export const codeOf = (thrown: unknown): string | undefined => {
  if (!(thrown instanceof Error) || !('code' in thrown)) return undefined;
  return typeof thrown.code === 'string' ? thrown.code : undefined;
};
