import type { Page } from 'playwright-core';

/** Makes the operation ready to be sent. */
export const tryItOut = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Try it out' }).click();

/** Sends the operation, with a body of its own or with the one that stands there. */
export const execute = async (page: Page, body?: string): Promise<void> => {
  if (body !== undefined) await page.locator('textarea.body-param__text').fill(body);
  await page.getByRole('button', { name: 'Execute' }).click();
};

/** The status and the body that the page shows as the answer. */
export const shownAnswer = async (page: Page): Promise<{ status: string; body: unknown }> => {
  const answer = page.locator('.live-responses-table tr.response');
  const status = await answer.locator('.response-col_status').innerText();
  const body = await answer.locator('.highlight-code code').innerText();
  return { status: status.trim(), body: JSON.parse(body) };
};

/** Puts in an API key, in place of the one that is there if there is one. */
export const useKey = async (page: Page, key: string): Promise<void> => {
  await page.getByRole('button', { name: 'Authorize' }).first().click();
  const dialog = page.locator('.dialog-ux');
  const [filledIn] = await dialog.getByRole('button', { name: 'Remove authorization' }).all();
  await filledIn?.click();
  await dialog.locator('input').fill(key);
  await dialog.getByRole('button', { name: 'Apply credentials' }).click();
  await dialog.getByRole('button', { name: 'Close' }).click();
};

/** Unfolds every schema, whatever they hold. */
export const unfold = async (page: Page): Promise<void> => {
  const folded = page.getByRole('button', { name: 'Expand all' });
  for (const tab of await page.getByRole('tab', { name: 'Schema' }).all()) await tab.click();
  while ((await folded.count()) > 0) await folded.first().click();
};
