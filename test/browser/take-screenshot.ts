import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Page } from 'playwright-core';
import { UsageError } from '../../tools/cli.ts';
import { bareEnvironment, startProject, temporaryFolder } from '../support/processes.ts';
import { desktop, openDocs, startBrowser } from './support/open-docs.ts';
import { execute, tryItOut } from './support/operation.ts';

/** Writes a picture of the page on a desktop, with a request that was answered: what the README shows. */
export const takeScreenshot = async (path: string): Promise<void> => {
  const folder = temporaryFolder();
  const env = bareEnvironment({ SPACE_FILES_STATE_DIR: folder.path });
  // The port that the README names.
  const project = await startProject(['--port', '3000'], env);
  const browser = await startBrowser();
  try {
    if (project.url === '') throw new UsageError('The picture needs port 3000: stop what listens there.');
    const { page } = await openDocs(browser, project.url, desktop);
    await tryItOut(page);
    await execute(page);
    mkdirSync(dirname(path), { recursive: true });
    await page.screenshot({ path, fullPage: true, clip: await fromBodyToAnswer(page) });
  } finally {
    await browser.close();
    await project.stop();
    folder.remove();
  }
};

/** The part of the page between the request's body and the answer's, both included. */
const fromBodyToAnswer = async (page: Page) => {
  const answer = page.locator('.live-responses-table .highlight-code');
  await answer.waitFor();
  // Boxes count from what is in sight, a picture of the full page from its top.
  await page.evaluate(() => window.scrollTo(0, 0));
  const first = await page.locator('.opblock-section-request-body').boundingBox();
  const last = await answer.boundingBox();
  if (first === null || last === null) throw new Error('the page shows no request or no answer');
  return { x: 0, y: first.y, width: desktop.width, height: last.y + last.height + 8 - first.y };
};
