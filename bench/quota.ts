import { existsSync, rmdirSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * What Lambda gives a function of 512 MB: 512/1769 of a CPU, here in microseconds of each period. The period of Lambda
 * is not known. With the default of Linux, 100 ms, a cold start would end before or after a pause of 71 ms by chance.
 */
const periodUs = 20_000;
const quotaUs = 5_800;

/** The files of a CPU quota, in version 2 of the control groups of Linux and in version 1. */
const [root, files] = existsSync('/sys/fs/cgroup/cgroup.controllers')
  ? ['/sys/fs/cgroup', { 'cpu.max': `${quotaUs} ${periodUs}` }]
  : ['/sys/fs/cgroup/cpu', { 'cpu.cfs_period_us': `${periodUs}`, 'cpu.cfs_quota_us': `${quotaUs}` }];
const folder = join(root, `space-files-bench-${process.pid}`);
const write = (file: string, text: string) => writeFile(join(folder, file), text, { flag: 'r+' });

const setQuota = async (): Promise<void> => {
  if (!existsSync(folder)) {
    await mkdir(folder);
    process.once('exit', () => rmdirSync(folder));
  }
  for (const [file, text] of Object.entries(files)) await write(file, text);
};

/** Whether this machine allows a quota. */
export const isQuotaAllowed = () =>
  setQuota()
    .then(() => true)
    .catch(() => false);

/** Limits a process. Linux starts anew with each quota that is set: what another process overdrew does not count. */
export const limitCpu = async (pid: number): Promise<void> => {
  await setQuota();
  await write('cgroup.procs', String(pid));
};
