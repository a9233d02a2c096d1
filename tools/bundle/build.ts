import { statSync } from 'node:fs';
import * as z from 'zod';
import { checkOptions, readArguments, runCommand } from '#tools/cli.ts';
import { buildFunctions } from './bundle.ts';
import { defaultOptimizations, deployedOptimizations } from './optimizations.ts';

const usage = `Usage: npm run build -- [options]

Writes the deployed files into dist/ and prints their sizes.

  --without NAME  leave out one optimization; may be repeated
                  (${defaultOptimizations.join(', ')})
  --code-cache    store V8's compiled code beside the bundle; build with the Node version that runs the function
  --help          show this text

What custom.build.without in serverless.yml names is left out too. docs/decisions describes each optimization, its gain
and its risk.
`;

const OptionsSchema = z.object({ without: z.array(z.enum(defaultOptimizations)) });

await runCommand(usage, async () => {
  const { values } = readArguments({
    options: {
      without: { type: 'string', multiple: true, default: [] },
      'code-cache': { type: 'boolean', default: false },
    },
  });
  const deployed = deployedOptimizations(checkOptions(OptionsSchema, values).without);
  const optimizations = values['code-cache'] ? [...deployed, 'code-cache' as const] : deployed;
  const { files, gzipBytes } = await buildFunctions({ optimizations });
  for (const file of files) process.stdout.write(`${file}: ${statSync(file).size} bytes\n`);
  process.stdout.write(`With gzip, the bundles have ${gzipBytes} bytes.\n`);
});
