import { relative } from 'node:path';
import { buildBundle } from '#local/service/bundle.ts';
import { runCommand } from './command.ts';
import { projectRoot } from './project.ts';

/** `npm run build`: writes the bundle that is deployed and says how large it is. */
await runCommand(async () => {
  const { file, bytes, gzipBytes } = await buildBundle();
  const kilobytes = (count: number) => `${(count / 1024).toFixed(0)} KB`;
  process.stdout.write(
    `${relative(projectRoot, file)}: ${kilobytes(bytes)}, ${kilobytes(gzipBytes)} gzipped\n`,
  );
});
