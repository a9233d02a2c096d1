import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseOptions, runCommand } from '../../tools/cli.ts';
import { projectRoot } from '../../tools/project.ts';
import { findChromium } from './find-chromium.ts';
import { takeScreenshot } from './take-screenshot.ts';

const vitest = join(projectRoot, 'node_modules', 'vitest', 'vitest.mjs');
const config = join(import.meta.dirname, 'vitest.config.ts');

const usage = `Usage: npm run test:browser -- [options]

Tests the page of /docs in Chromium: the one that CHROMIUM names, or the first on the PATH.

  --screenshot  renew docs/images/docs-page.png afterwards; port 3000 must be free
  --help        show this text
`;
const options = {
  screenshot: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/** `npm run test:browser`: tests the page of /docs in a real browser. */
await runCommand(async () => {
  const { screenshot, help } = parseOptions(process.argv.slice(2), 'npm run test:browser', options);
  if (help) return void process.stdout.write(usage);
  findChromium(process.env);
  const tests = spawn(process.execPath, [vitest, 'run', '--config', config], { stdio: 'inherit' });
  const [code] = await once(tests, 'close');
  process.exitCode = code ?? 1;
  if (screenshot) await takeScreenshot(join(projectRoot, 'docs', 'images', 'docs-page.png'));
});
