import { existsSync } from 'node:fs';
import { mkdir, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { styleText } from 'node:util';
import { withEndpoint } from '../endpoint.ts';
import { withFixture } from '../fixture.ts';
import { inRounds, type Measurement } from '../measurement.ts';
import { measureRun } from '../process.ts';

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

/** Lets `use` work with a fresh quota, which a process joins by its id. */
const withQuota = async <Result>(
  use: (join: (pid: number) => Promise<void>) => Promise<Result>,
): Promise<Result> => {
  const folder = join(root, `space-files-bench-${process.pid}`);
  const write = (file: string, text: string) => writeFile(join(folder, file), text, { flag: 'r+' });
  await mkdir(folder);
  try {
    for (const [file, text] of Object.entries(files)) await write(file, text);
    return await use((pid) => write('cgroup.procs', String(pid)));
  } finally {
    await removeEmpty(folder);
  }
};

/** The kernel needs a moment after the last process of a group has ended. */
const removeEmpty = (folder: string, attempts = 50): Promise<void> =>
  rmdir(folder).catch(async (error) => {
    if (attempts === 1) throw error;
    await sleep(10);
    return removeEmpty(folder, attempts - 1);
  });

/** Cold start at 512 MB over TLS: module load at full speed, as in Lambda, then the first request under the quota. */
export const cold512: Measurement = async ({ variants, quick }) => {
  const isAllowed = await withQuota(async () => true).catch(() => false);
  if (!isAllowed) {
    process.stderr.write(styleText('yellow', 'cold-512 is skipped: this machine allows no CPU quota\n'));
    return {};
  }
  return withFixture((fixture) =>
    withEndpoint(fixture, { counting: false }, async (environment) => {
      // A fresh quota for each process: what one left over or overdrew would count for the next.
      const { valuesOf } = await inRounds(variants, quick ? 2 : 15, (variant) =>
        withQuota((beforeJob) => measureRun(variant, { environment, beforeJob })),
      );
      return {
        'cold start at 512 MB, ms': valuesOf(({ loadMs, wallMs: [first = Number.NaN] }) => loadMs + first),
      };
    }),
  );
};
