import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { writeOwnData } from '#test/support/processes.ts';
import { bareEnvironment, startProject, temporaryFolder } from '#test/support/processes.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'chrome.exe'];
const onPath = (process.env['PATH'] ?? '')
  .split(delimiter)
  .flatMap((at) => names.map((name) => join(at, name)));
const executablePath = process.env['CHROMIUM'] ?? onPath.find((path) => existsSync(path));

let browser: Browser;
beforeAll(async () => {
  if (executablePath === undefined)
    throw new Error(
      'No Chromium found. Run `apt-get install chromium` on Debian, or set CHROMIUM to its path.',
    );
  // The sandbox of Chromium does not run as root.
  browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
});
afterAll(() => browser.close());

const folder = temporaryFolder();
afterAll(folder.remove);
const start = (...args: string[]) =>
  startProject(args, bareEnvironment({ SPACE_FILES_STATE_DIR: folder.path }));

/** Opens /docs and collects what the page must not do: errors, and requests to other hosts. */
const openDocs = async (url: string, viewport: { width: number; height: number }) => {
  const page = await browser.newPage({ viewport });
  page.setDefaultTimeout(10_000);
  const problems: string[] = [];
  page.on('pageerror', ({ message }) => problems.push(message));
  page.on('request', (request) => request.url().startsWith(`${url}/`) || problems.push(request.url()));
  page.on('console', (message) => {
    // The browser reports every 4xx response, whatever the page does with it.
    const isResponse = /^Failed to load resource: the server responded with a status of 4\d\d /.test(
      message.text(),
    );
    if (['error', 'warning'].includes(message.type()) && !isResponse) problems.push(message.text());
  });
  await page.goto(`${url}/docs`);
  await page.getByRole('button', { name: 'Try it out' }).click();
  return { page, problems };
};
const execute = async (page: Page, body?: string) => {
  if (body !== undefined) await page.locator('textarea.body-param__text').fill(body);
  await page.getByRole('button', { name: 'Execute' }).click();
};
const expectShown = (page: Page, status: string, body: object) => {
  const response = page.locator('.live-responses-table tr.response');
  const shown = async () => [
    (await response.locator('.response-col_status').innerText()).trim(),
    JSON.parse(await response.locator('.highlight-code code').innerText()),
  ];
  return expect.poll(shown).toEqual([status, body]);
};
const useKey = async (page: Page, key: string) => {
  await page.getByRole('button', { name: 'Authorize' }).first().click();
  const dialog = page.locator('.dialog-ux');
  const [filledIn] = await dialog.getByRole('button', { name: 'Remove authorization' }).all();
  await filledIn?.click();
  await dialog.locator('input').fill(key);
  await dialog.getByRole('button', { name: 'Apply credentials' }).click();
  await dialog.getByRole('button', { name: 'Close' }).click();
};

const desktop = { width: 1280, height: 900 };
describe.each([
  ['on a desktop', desktop],
  ['on a phone', { width: 390, height: 844 }],
])('the page at /docs %s', (_, viewport) => {
  let project: Awaited<ReturnType<typeof start>>;
  let docs: Awaited<ReturnType<typeof openDocs>>;
  beforeAll(async () => {
    project = await start();
  });
  afterAll(() => project.stop());
  beforeEach(async () => {
    docs = await openDocs(project.url, viewport);
  });
  afterEach(async () => {
    await docs.page.close();
    expect(docs.problems).toEqual([]);
  });

  test('sends updates that the next one sees', async () => {
    const tags = expect.arrayContaining([{ key: 'status', value: 'approved', aiExtracted: false }]);
    const file = { originalName: 'onboarding.pdf', language: 'en', domain: 'hr', chunksCount: 12, tags };
    const whole = { ...file, id: '3f2b8c1e-6a4d-4c57-9e0f-1b7a2d9c5e80', charactersCount: 18450 };
    await execute(docs.page, '{"summary": "Seen in a browser.", "documentKind": "guide"}');
    await expectShown(docs.page, '200', { ...whole, summary: 'Seen in a browser.', documentKind: 'guide' });
    await execute(docs.page, '{"documentKind": null}');
    await expectShown(docs.page, '200', { ...whole, summary: 'Seen in a browser.', documentKind: null });
    await execute(docs.page, '{"language": "de"}');
    await expectShown(docs.page, '400', { message: 'Field "language" is not editable' });
  });

  test('shows the responses to other keys and to an old etag', async () => {
    await docs.page.getByPlaceholder('if-match').fill('"1"');
    await execute(docs.page);
    await expectShown(docs.page, '412', { message: 'File was changed by another request' });
    await useKey(docs.page, 'demo-viewer-key');
    await execute(docs.page);
    const message = 'API Key does not have permission to access this resource';
    await expectShown(docs.page, '403', { message });
    await useKey(docs.page, 'no-such-key');
    await execute(docs.page);
    await expectShown(docs.page, '401', { message: 'Invalid API Key' });
  });

  test('never scrolls sideways, and every schema unfolds', async () => {
    const sideways = () => docs.page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
    await execute(docs.page);
    const response = docs.page.locator('.live-responses-table');
    await response.waitFor();
    // SCREENSHOT=docs/images/docs-page.png renews the picture of the README.
    const path = process.env['SCREENSHOT'];
    if (path !== undefined && viewport === desktop) {
      await docs.page.locator('.opblock-section-request-body').evaluate('(body) => body.scrollIntoView()');
      await docs.page.screenshot({ path });
    }
    expect(await sideways()).toBe(0);
    for (const tab of await docs.page.getByRole('tab', { name: 'Schema' }).all()) await tab.click();
    const folded = docs.page.getByRole('button', { name: 'Expand all' });
    while ((await folded.count()) > 0) await folded.first().click();
    expect(await sideways()).toBe(0);
    await docs.page.getByRole('button', { name: 'Authorize' }).first().click();
    expect(await sideways()).toBe(0);
  });
});

test('with own data the page has no key, and sends the file of that data', async () => {
  const project = await start('--data', writeOwnData(folder.path));
  const { page, problems } = await openDocs(project.url, desktop);
  await execute(page);
  await expectShown(page, '401', { message: 'Invalid API Key' });
  await useKey(page, 'my secret');
  await execute(page, '{"summary": "Mine."}');
  await expectShown(page, '200', expect.objectContaining({ id: "it's", summary: 'Mine.' }));
  expect(problems).toEqual([]);
  await project.stop();
});
