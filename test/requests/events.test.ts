import { describe, test } from 'vitest';
import { apiKeyRecord } from '#test/support/fixtures.ts';
import { createTables, directClient, type Item, tableNames } from '#test/support/simulated-tables.ts';
import demo from '#tools/tables/demo-data.json' with { type: 'json' };
import { createInvoke, type Format, numberRequests, runAsEvent } from './as-event.ts';
import { casesFor } from './cases/all.ts';

/* Each case as an event of a REST API and of an HTTP API, sent to the source, on simulated tables. */

/** DynamoDB counts the bytes of names and values. JSON has a little more. */
const isTooLarge = (item: Item) => Buffer.byteLength(JSON.stringify(item)) > 400 * 1024;
const simulated = createTables({ isTooLarge });
for (const record of demo.apiKeys) simulated.put('apiKeys', apiKeyRecord(record));
for (const space of demo.spaces) simulated.put('spaces', space);
for (const file of demo.files) simulated.put('files', file);
const tables = {
  files: async () =>
    Object.fromEntries(simulated.all('files').map((file) => [`${file['spaceId']}/${file['fileId']}`, file])),
  putFile: async (file: Item) => simulated.put('files', file),
  removeFile: async (spaceId: string, fileId: string) => simulated.remove('files', { spaceId, fileId }),
};
const numbered = numberRequests();
const invoke = createInvoke({ ...tableNames, client: directClient(simulated) }, numbered);

describe.each<Format>(['1.0', '2.0'])('in format %s', (format) => {
  test.each(casesFor(format))('$name', async (oneCase) => {
    await runAsEvent({ tables, draw: numbered.draw, invoke }, oneCase, format);
  });
});
