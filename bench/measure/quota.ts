import { mkdir, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * What Lambda gives a function of 512 MB: 512/1769 of a CPU, here as microseconds of each period. Lambda's own period
 * is not known here. Linux's default of 100 ms would let a cold start end before or after a pause of 71 ms by chance.
 */
const periodUs = 20_000;
const quotaUs = 5_800;

/** How a version of Linux's control groups is told the quota. */
type Version = {
  readonly root: string;
  readonly settings: readonly (readonly [file: string, value: string])[];
};

const versions: readonly Version[] = [
  {
    root: '/sys/fs/cgroup/cpu',
    settings: [
      ['cpu.cfs_period_us', String(periodUs)],
      ['cpu.cfs_quota_us', String(quotaUs)],
    ],
  },
  { root: '/sys/fs/cgroup', settings: [['cpu.max', `${quotaUs} ${periodUs}`]] },
];

/** A control group under the quota. */
export type Quota = { readonly add: (pid: number) => Promise<void>; readonly remove: () => Promise<void> };
export type MakeQuota = () => Promise<Quota>;

const quotaOf = async ({ root, settings }: Version, name: string): Promise<Quota> => {
  const folder = join(root, name);
  await mkdir(folder);
  const remove = () => removeEmpty(folder);
  try {
    for (const [file, value] of settings) await writeFile(join(folder, file), value, { flag: 'r+' });
  } catch (error) {
    await remove();
    throw error;
  }
  return { add: (pid) => writeFile(join(folder, 'cgroup.procs'), String(pid), { flag: 'r+' }), remove };
};

/** The kernel needs a moment after the last process of a group has ended. */
const removeEmpty = async (folder: string): Promise<void> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await rmdir(folder);
    } catch (error) {
      if (attempt === 50) throw error;
      await sleep(10);
    }
  }
};

/** How to make a quota on this machine, each one fresh; undefined where it cannot be made. */
export const findQuota = async (): Promise<MakeQuota | undefined> => {
  let made = 0;
  for (const version of versions) {
    const make = () => {
      made += 1;
      return quotaOf(version, `space-files-bench-${process.pid}-${made}`);
    };
    const quota = await make().catch(() => undefined);
    if (quota === undefined) continue;
    await quota.remove();
    return make;
  }
  return undefined;
};
