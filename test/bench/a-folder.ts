import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder for one test, gone after it. */
export const aFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-report-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};
