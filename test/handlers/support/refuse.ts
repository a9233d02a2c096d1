import { expect } from 'vitest';
import { startService } from '#test/support/service.ts';
import type { Tables } from '#test/support/tables.ts';
import { tapped } from '#test/support/tap.ts';

/** Sends an event that must be refused, and shows that no item of any table has changed. */
export const refuseUnchanged = async (tables: Tables, event: unknown) => {
  const before = await tables.everything();
  const service = startService(tables);
  const response = await service.send(event);
  expect(await tables.everything()).toEqual(before);
  expect(service.logged()).toHaveLength(1);
  return response;
};

/** Sends an event that must be refused; gives the answer, the calls to DynamoDB, and the reason in the log. */
export const refuseTapped = async (tables: Tables, event: unknown) => {
  const before = await tables.everything();
  const { client, calls } = tapped(tables.client);
  const service = startService({ ...tables, client });
  const response = await service.send(event);
  expect(await tables.everything()).toEqual(before);
  return { response, calls: calls(), reason: service.logged()[0]?.['reason'] };
};
