import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { UsageError } from '../../tools/cli.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'chrome.exe'];

/** The path of a Chromium: that of CHROMIUM, or one on PATH. Throws a UsageError where there is none. */
export const findChromium = ({ CHROMIUM, PATH = '' }: NodeJS.ProcessEnv): string => {
  const onPath = PATH.split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
  const found = (CHROMIUM ? [CHROMIUM] : onPath).find((path) => existsSync(path));
  if (found !== undefined) return found;
  throw new UsageError(
    `The browser tests need Chromium and ${CHROMIUM ? `${CHROMIUM} does not exist` : 'none is on PATH'}: ` +
      'install it (`apt-get install chromium` on Debian), or name its path in CHROMIUM.',
  );
};
