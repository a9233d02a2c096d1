import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { aCall } from '#test/support/call.ts';
import { unconditional } from './support/given-update.ts';
import { mockStore } from './support/mocked-store.ts';
import { serviceError } from './support/service-error.ts';

const { table, aStore, store, inputs } = mockStore();
beforeEach(() => table.reset());

describe('the update', () => {
  const write = (call = aCall()) => store.updateFile(unconditional, call);

  test('is given up when the deadline passes while backing off', async () => {
    const slow = aStore(() => 0.999);
    table.on(UpdateCommand).rejects(serviceError('ThrottlingException'));
    const write = slow.updateFile(unconditional, aCall('r', 120));
    await expect(write).rejects.toMatchObject({ code: 'unavailable' });
  });

  test('is not begun when the deadline has passed', async () => {
    await expect(write(aCall('r', 0))).rejects.toMatchObject({ code: 'unavailable' });
    expect(inputs()).toEqual([]);
  });
});
