import { expect, test } from 'vitest';
import { bareEnvironment, startProject, temporaryFolder, writeOwnData } from '../support/processes.ts';
import { desktop, openDocs, startBrowser } from './support/open-docs.ts';
import { execute, shownAnswer, tryItOut, useKey } from './support/operation.ts';

test('with own data, the key and the ids have to be entered', async () => {
  const folder = temporaryFolder();
  const env = bareEnvironment({ SPACE_FILES_STATE_DIR: folder.path });
  const project = await startProject(['--data', writeOwnData(folder.path)], env);
  const browser = await startBrowser();
  try {
    const { page, problems } = await openDocs(browser, project.url, desktop);
    await tryItOut(page);
    const ids = { spaceId: 'a/b', fileId: "it's", 'x-tenant-id': 't', 'x-user-id': 'o' };
    for (const [name, value] of Object.entries(ids)) await page.getByPlaceholder(name).fill(value);
    await execute(page);
    const message = 'Invalid API Key';
    await expect.poll(() => shownAnswer(page)).toStrictEqual({ status: '401', body: { message } });
    await useKey(page, 'my secret');
    await execute(page, '{"summary": "Mine."}');
    await expect
      .poll(() => shownAnswer(page))
      .toMatchObject({ status: '200', body: { id: "it's", summary: 'Mine.' } });
    expect(problems).toStrictEqual([]);
  } finally {
    await browser.close();
    await project.stop();
    folder.remove();
  }
});
