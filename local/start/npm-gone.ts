import { readFileSync } from 'node:fs';

/**
 * Tells, each time it is asked, whether the npm that started this process is gone. A killed npm passes nothing on,
 * and neither does the shell that it may have put in between.
 */
export const watchNpm = (): (() => boolean) => {
  if (process.env['npm_lifecycle_event'] !== 'start') return () => false;
  const parent = process.ppid;
  const npm = parentOfShell(parent);
  return () => process.ppid !== parent || parentOfShell(parent) !== npm;
};

/** The parent of a process that is a shell. Undefined for others, and where there is no /proc. */
const parentOfShell = (pid: number): string | undefined => {
  try {
    const [, parent] =
      /^\d+ \((?:sh|dash|bash|ash|busybox)\) \S (\d+) /.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return parent;
  } catch {
    return undefined;
  }
};
