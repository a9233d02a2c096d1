import { statSync } from 'node:fs';
import { relative } from 'node:path';
import { parseOptions, runCommand, UsageError } from '#tools/cli.ts';
import { buildBundle } from './build/bundle.ts';
import { defaultOptimizations, type Optimization } from './build/optimizations.ts';
import { projectRoot } from './project.ts';

const usage = `Usage: npm run build -- [options]

Writes the deployed files into dist/ and prints their sizes.

  --without NAME  leave out one optimization; may be repeated
                  (${defaultOptimizations.join(', ')})
  --code-cache    store V8's compiled code beside the bundle; build with the Node version that runs the function
  --help          show this text

docs/decisions describes each optimization, its gain and its risk.
`;

/** The optimizations of a build. Throws a UsageError for an unknown name. */
export const chooseOptimizations = (without: readonly string[], codeCache: boolean): Optimization[] => {
  const names: readonly string[] = defaultOptimizations;
  const unknown = without.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new UsageError(`Unknown optimization "${unknown}"; known ones are ${names.join(', ')}.`);
  }
  const kept = defaultOptimizations.filter((name) => !without.includes(name));
  return codeCache ? [...kept, 'code-cache'] : kept;
};

const kilobytes = (bytes: number) => `${(bytes / 1024).toFixed(0)} KB`;

if (import.meta.main) {
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
}
