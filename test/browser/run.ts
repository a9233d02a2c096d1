import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runCommand } from '../../local/command.ts';
import { projectRoot } from '../../local/project.ts';
import { findChromium } from './find-chromium.ts';
import { takeScreenshot } from './take-screenshot.ts';

const vitest = join(projectRoot, 'node_modules', 'vitest', 'vitest.mjs');
const config = join(import.meta.dirname, 'vitest.config.ts');

/** `npm run test:browser`: tests the page of /docs in Chromium; with `-- --screenshot` its picture is renewed. */
await runCommand(async () => {
  const { values } = parseArgs({ options: { screenshot: { type: 'boolean', default: false } } });
  findChromium(process.env);
  const tests = spawn(process.execPath, [vitest, 'run', '--config', config], { stdio: 'inherit' });
  const [code] = await once(tests, 'close');
  process.exitCode = code ?? 1;
  if (values.screenshot) await takeScreenshot(join(projectRoot, 'docs', 'images', 'docs-page.png'));
});
