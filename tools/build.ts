import { statSync } from 'node:fs';
import { relative } from 'node:path';
import { buildBundle } from './build/bundle.ts';
import { chooseOptimizations, defaultOptimizations } from './build/optimizations.ts';
import { parseOptions, runCommand } from './cli.ts';
import { projectRoot } from './project.ts';

const usage = `Usage: npm run build -- [options]

Writes the deployed files into dist/ and prints their sizes.

  --without NAME  leave out one optimization; may be repeated
                  (${defaultOptimizations.join(', ')})
  --code-cache    store V8's compiled code beside the bundle; build with the Node version that runs the function
  --help          show this text

docs/decisions describes each optimization, its gain and its risk.
`;

const kilobytes = (bytes: number) => `${(bytes / 1024).toFixed(0)} KB`;

await runCommand(async () => {
  const options = parseOptions(process.argv.slice(2), 'npm run build', {
    without: { type: 'string', multiple: true, default: [] },
    'code-cache': { type: 'boolean', default: false },
    help: { type: 'boolean' },
  });
  if (options.help) return void process.stdout.write(usage);
  const optimizations = chooseOptimizations(options.without, options['code-cache']);
  const { files, gzipBytes } = await buildBundle({ optimizations });
  const sizes = files.map((file) => `${relative(projectRoot, file)}: ${kilobytes(statSync(file).size)}`);
  process.stdout.write(`${sizes.join('\n')}\nThe bundle is ${kilobytes(gzipBytes)} gzipped.\n`);
});
