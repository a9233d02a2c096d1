import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type LaunchOptions } from 'playwright-core';
import { findOnPath } from '#tools/dev-server/engine.ts';
import packageJson from './package.json' with { type: 'json' };

const names = ['chromium', 'chromium-browser', 'google-chrome', 'chrome.exe'];

/** Depends on the version, so that a newer package is unpacked again. */
const unpacked = join(
  import.meta.dirname,
  'node_modules',
  '.cache',
  `chromium-${packageJson.devDependencies['@sparticuz/chromium']}`,
);

/** Unpacks the Chromium of the npm package, once, with the libraries and the fonts that it needs. */
const unpack = async (): Promise<void> => {
  if (existsSync(unpacked)) return;
  const part = `${unpacked}.part`;
  rmSync(part, { recursive: true, force: true });
  mkdirSync(part, { recursive: true });
  // The package unpacks into the folder for temporary files.
  const temporary = process.env['TMPDIR'];
  process.env['TMPDIR'] = part;
  const { default: packaged, inflate } = await import('@sparticuz/chromium');
  const archives = join(import.meta.dirname, 'node_modules', '@sparticuz', 'chromium', 'bin');
  await Promise.all([packaged.executablePath(), inflate(join(archives, 'al2023.tar.br'))]);
  if (temporary === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = temporary;
  writeFileSync(join(part, 'fonts.conf'), '<fontconfig><dir prefix="relative">fonts</dir></fontconfig>');
  renameSync(part, unpacked);
};

/** The Chromium of the npm package. It uses nothing of this machine. */
const packagedChromium = async (): Promise<LaunchOptions> => {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error('No Chromium found. Install it (Debian: `apt-get install chromium`), or set CHROMIUM.');
  await unpack();
  const env = {
    LD_LIBRARY_PATH: join(unpacked, 'al2023', 'lib'),
    FONTCONFIG_FILE: join(unpacked, 'fonts.conf'),
  };
  return { executablePath: join(unpacked, 'chromium'), env: { ...process.env, ...env } };
};

const findChromium = async (): Promise<LaunchOptions> => {
  const executablePath = process.env['CHROMIUM'] || names.map(findOnPath).find(Boolean);
  return executablePath && executablePath !== 'packaged' ? { executablePath } : packagedChromium();
};
// Not in a hook, which has a time limit: unpacking takes long on a busy machine.
const options = await findChromium();

/** Starts the browser that CHROMIUM names, or else one on the PATH, or else the packaged one (`CHROMIUM=packaged`). */
export const launchChromium = (): Promise<Browser> =>
  // The sandbox of Chromium does not run as root.
  chromium.launch({ ...options, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
