import { beforeAll, beforeEach, expect, test } from 'vitest';
import { example, fileExamples, patchExamples } from '#local/openapi/examples.ts';
import { anEvent } from '#test/support/event.ts';
import { seed } from '#test/support/seed.ts';
import { startService } from '#test/support/service.ts';
import { openTables, type Tables } from '#test/support/tables.ts';
import demo from '#tools/dev-server/demo-data.json' with { type: 'json' };

let tables: Tables;
beforeAll(async () => {
  tables = await openTables('openapi-examples');
});
beforeEach(() => seed(tables));

const headers = {
  'x-api-key': example.apiKey,
  'x-tenant-id': example.tenantId,
  'x-user-id': example.userId,
};
const send = (name: string, fileId: string) => {
  const body = JSON.stringify(patchExamples[name]?.value);
  return startService(tables).send(anEvent({ headers, spaceId: example.spaceId, fileId, body }));
};

test.each(Object.keys(patchExamples))('with the demo data the example %s is answered 200', async (name) => {
  expect(await send(name, example.fileId)).toMatchObject({ statusCode: 200 });
});

test.each([
  ['set-and-clear', 'detailed', example.fileId],
  ['set-one', 'basic', demo.files[1]?.fileId ?? ''],
])('%s is answered with the example %s', async (name, shape, fileId) => {
  const { body } = await send(name, fileId);
  expect(JSON.parse(body)).toEqual(fileExamples[shape]?.value);
});
