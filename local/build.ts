import { statSync } from 'node:fs';
import { relative } from 'node:path';
import { buildBundle } from '#local/build/bundle.ts';
import { buildUsage, readBuildOptions } from '#local/build/read-options.ts';
import { runCommand } from './command.ts';
import { projectRoot } from './project.ts';

const kilobytes = (count: number) => `${(count / 1024).toFixed(0)} KB`;

/** `npm run build`: writes what is deployed and says how large it is. */
await runCommand(async () => {
  const { help, levers } = readBuildOptions(process.argv.slice(2));
  if (help) return void process.stdout.write(buildUsage);
  const { files, gzipBytes } = await buildBundle({ levers });
  const lines = files.map((file) => `${relative(projectRoot, file)}: ${kilobytes(statSync(file).size)}`);
  process.stdout.write(`${[`${lines.shift()}, ${kilobytes(gzipBytes)} gzipped`, ...lines].join('\n')}\n`);
});
