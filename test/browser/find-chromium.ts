import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { Complaint } from '../../local/complaint.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'chrome.exe'];

/** The path of a Chromium: that of CHROMIUM, or one on PATH. Throws a Complaint where there is none. */
export const findChromium = ({ CHROMIUM, PATH = '' }: NodeJS.ProcessEnv): string => {
  const onPath = PATH.split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
  const found = (CHROMIUM ? [CHROMIUM] : onPath).find((path) => existsSync(path));
  if (found !== undefined) return found;
  throw new Complaint(
    `The browser tests need Chromium and ${CHROMIUM ? `${CHROMIUM} does not exist` : 'none is on PATH'}: ` +
      'install it (`apt-get install chromium` on Debian), or name its path in CHROMIUM.',
  );
};
