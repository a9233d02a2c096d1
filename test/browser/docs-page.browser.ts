import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runningProject } from '../support/processes.ts';
import { type Docs, desktop, openDocs, phone, sidewaysScroll, startBrowser } from './support/open-docs.ts';
import { execute, shownAnswer, tryItOut, unfold, useKey } from './support/operation.ts';

const project = runningProject();
let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

const file = {
  id: '3f2b8c1e-6a4d-4c57-9e0f-1b7a2d9c5e80',
  originalName: 'onboarding.pdf',
  language: 'en',
  domain: 'hr',
  chunksCount: 12,
  charactersCount: 18450,
  tags: [
    { key: 'audience', value: 'new hires', aiExtracted: true },
    { key: 'status', value: 'approved', aiExtracted: false },
  ],
};

describe.each([
  ['on a desktop', desktop],
  ['on a phone', phone],
])('%s', (_, viewport) => {
  let docs: Docs;
  const shown = () => shownAnswer(docs.page);
  beforeEach(async () => {
    docs = await openDocs(browser, project.url, viewport);
    await tryItOut(docs.page);
  });
  afterEach(async () => {
    await docs.page.close();
    expect(docs.problems).toStrictEqual([]);
    expect(docs.requests.filter((url) => !url.startsWith(`${project.url}/`))).toStrictEqual([]);
  });

  test('an update can be sent as the page stands, and the next one sees it', async () => {
    await execute(docs.page);
    await expect.poll(shown).toMatchObject({ status: '200', body: { id: file.id } });
    await execute(docs.page, '{"summary": "Seen in a browser.", "documentKind": "guide"}');
    await expect.poll(shown).toStrictEqual({
      status: '200',
      body: { ...file, summary: 'Seen in a browser.', documentKind: 'guide' },
    });
    await execute(docs.page, '{"documentKind": null}');
    await expect
      .poll(shown)
      .toStrictEqual({ status: '200', body: { ...file, summary: 'Seen in a browser.', documentKind: null } });
  });

  test('a refused request shows its message, and the next one that is right is answered', async () => {
    await execute(docs.page, '{"language": "de"}');
    const message = 'Field "language" is not editable';
    await expect.poll(shown).toStrictEqual({ status: '400', body: { message } });
    await execute(docs.page, '{"summary": "Right."}');
    await expect.poll(shown).toMatchObject({ status: '200', body: { summary: 'Right.' } });
  });

  test.each([
    ['demo-viewer-key', '403', 'API Key does not have permission to access this resource'],
    ['no-such-key', '401', 'Invalid API Key'],
  ])('with the key %s the answer is %s', async (key, status, message) => {
    await useKey(docs.page, key);
    await execute(docs.page);
    await expect.poll(shown).toStrictEqual({ status, body: { message } });
  });

  test('an etag of yesterday is refused with 412', async () => {
    await docs.page.getByPlaceholder('if-match').fill('"1"');
    await execute(docs.page);
    const message = 'File was changed by another request';
    await expect.poll(shown).toStrictEqual({ status: '412', body: { message } });
  });

  test('nothing has to be scrolled sideways, and everything can be unfolded', async () => {
    await execute(docs.page);
    await docs.page.locator('.live-responses-table').waitFor();
    expect(await sidewaysScroll(docs.page)).toBe(0);
    await unfold(docs.page);
    expect(await sidewaysScroll(docs.page)).toBe(0);
    await docs.page.getByRole('button', { name: 'Authorize' }).first().click();
    expect(await sidewaysScroll(docs.page)).toBe(0);
  });
});
