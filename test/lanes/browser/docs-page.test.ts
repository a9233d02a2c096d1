// `.ci/run browser` installs a Chromium and Playwright, and names their folder in BROWSER.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runningProject } from '#test/support/processes.ts';

const load = (path: string) => import(pathToFileURL(join(process.env['BROWSER'] ?? '', path)).href);
const { chromium } = await load('playwright-core/index.mjs');
const { default: packaged } = await load('@sparticuz/chromium/build/index.js');
// It is unpacked here, because a hook has a time limit.
const executablePath: string = await packaged.executablePath();
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
afterAll(() => browser.close());

const project = runningProject();
const problems: string[] = [];
const page = await browser.newPage({ viewport: { width: 390, height: 664 }, isMobile: true });
page.setDefaultTimeout(20_000);
beforeAll(async () => {
  page.on('pageerror', ({ message }: Error) => problems.push(message));
  page.on('console', (message: { type(): string; text(): string }) => {
    // The browser reports each 4xx, whatever the page does with it.
    const isResponse = /^Failed to load resource: .* status of 400 /.test(message.text());
    if (message.type() === 'error' && !isResponse) problems.push(message.text());
  });
  page.on('request', (request: { url(): string }) => {
    if (!request.url().startsWith(`${project.url}/`)) problems.push(request.url());
  });
  await page.goto(project.url);
});

const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const expectShown = (status: string, body: string) =>
  expect
    .poll(() => page.locator('.live-responses-table tr.response').allTextContents(), { timeout: 20_000 })
    .toEqual([expect.stringMatching(new RegExp(`^${status}[^]*${body}`))]);

test('the page at /docs sends the request that it shows, says why a wrong one is rejected, and fits a phone', async () => {
  // Nobody has scrolled yet. What a reader came to try is in sight.
  const inSight = `['textarea.body-param__text', 'button.execute'].every((selector) => {
    const { top, bottom } = document.querySelector(selector)?.getBoundingClientRect() ?? {};
    return top >= 0 && bottom <= innerHeight;
  })`;
  await expect.poll(() => page.evaluate(inSight), { timeout: 20_000 }).toBe(true);
  await press('Execute');
  await expectShown('200', '"originalName": "onboarding.pdf"');
  // The response is in sight, below a request that is longer than the screen.
  const top = "document.querySelector('.live-responses-table').getBoundingClientRect().top";
  await expect.poll(async () => Math.round(await page.evaluate(top)), { timeout: 20_000 }).toBe(0);
  await page.locator('textarea.body-param__text').fill('{"id": "a"}');
  await press('Execute');
  await expectShown('400', 'is not editable');
  // On a phone, nothing is wider than the screen, also below the fold.
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  expect(problems).toEqual([]);
});
