import { type Browser, chromium, type Page } from 'playwright-core';
import { findChromium } from '../find-chromium.ts';

/** The page of /docs in a browser, and what came up there that should not have. */
export type Docs = { page: Page; requests: string[]; problems: string[] };

export const desktop = { width: 1280, height: 900 };
export const phone = { width: 390, height: 844 };

/** Starts the browser. Chromium's sandbox does not run as root. */
export const startBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: findChromium(process.env),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });

// The browser says so of every answer with such a status, whatever the page does with it.
const refusedRequest = /^Failed to load resource: the server responded with a status of 4\d\d /;

/** Opens the page of /docs and waits until the operation is there. */
export const openDocs = async (
  browser: Browser,
  url: string,
  viewport: { width: number; height: number },
): Promise<Docs> => {
  const page = await browser.newPage({ viewport });
  page.setDefaultTimeout(10_000);
  const requests: string[] = [];
  const problems: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  page.on('pageerror', ({ message }) => problems.push(message));
  page.on('console', (message) => {
    if (!['error', 'warning'].includes(message.type()) || refusedRequest.test(message.text())) return;
    problems.push(message.text());
  });
  await page.goto(`${url}/docs`);
  await page.locator('.opblock').waitFor();
  return { page, requests, problems };
};

/** How far the page can be scrolled sideways, in pixels. */
export const sidewaysScroll = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
