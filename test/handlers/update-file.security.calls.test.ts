import { BatchGetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { anEvent } from '#test/support/event.ts';
import { startService } from '#test/support/service.ts';
import { openTables, type Tables } from '#test/support/tables.ts';
import { tapped } from '#test/support/tap.ts';
import { putGiven } from './support/given-records.ts';

let tables: Tables;
beforeAll(async () => {
  tables = await openTables('security-calls');
});
beforeEach(() => putGiven(tables));

test('a good request makes two calls: one read of key and space, one write', async () => {
  const { client, calls } = tapped(tables.client);
  await startService({ ...tables, client }).send(anEvent());
  expect(calls()).toEqual([BatchGetCommand.name, UpdateCommand.name]);
});
