import { statSync } from 'node:fs';
import { readArguments, runCommand } from '#tools/cli.ts';
import { buildFunctions } from './bundle.ts';

const usage = `Usage: npm run build -- [options]

Writes the deployed files into dist/ and prints their sizes.

  --code-cache  store V8's compiled code beside the bundle; build with the Node version that runs the function
  --help        show this text
`;

await runCommand(usage, async () => {
  const { values } = readArguments({ options: { 'code-cache': { type: 'boolean', default: false } } });
  const { files, gzipBytes } = await buildFunctions({ codeCache: values['code-cache'] });
  for (const file of files) process.stdout.write(`${file}: ${statSync(file).size} bytes\n`);
  process.stdout.write(`With gzip, the bundles have ${gzipBytes} bytes.\n`);
});
