import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { aCall } from '#test/support/call.ts';
import { FILE_ID } from '#test/support/given.ts';
import { Attributes, unconditional, update, updated } from './support/given-update.ts';
import { mockStore } from './support/mocked-store.ts';
import { serviceError } from './support/service-error.ts';

const { table, store, inputs } = mockStore();
beforeEach(() => table.reset());

describe('the update', () => {
  const write = (call = aCall()) => store.updateFile(unconditional, call);

  test.each([
    serviceError('ProvisionedThroughputExceededException'),
    serviceError('ThrottlingException'),
    serviceError('RequestLimitExceeded'),
    serviceError('TransactionConflictException'),
    serviceError('ReplicatedWriteConflictException'),
    serviceError('InternalServerError', 500),
    serviceError('ServiceUnavailable', 503),
    serviceError('NotImplemented', 501),
    serviceError('getaddrinfo', 0, { code: 'EAI_AGAIN' }),
    serviceError('connect', 0, { code: 'ECONNREFUSED' }),
    new SyntaxError('Unexpected end of JSON input'),
  ])('is sent again after $name', async (fault) => {
    table.on(UpdateCommand).rejectsOnce(fault).resolves({ Attributes });
    const call = aCall();
    expect(await write(call)).toEqual(updated);
    expect(call.tally.retries).toBe(1);
  });

  test.each([
    serviceError('AccessDeniedException'),
    serviceError('ExpiredTokenException'),
    serviceError('UnrecognizedClientException'),
    serviceError('ResourceNotFoundException'),
    serviceError('ValidationException'),
    serviceError('CredentialsProviderError', 0),
  ])('is not sent again after $name', async (fault) => {
    table.on(UpdateCommand).rejects(fault);
    const call = aCall();
    await expect(write(call)).rejects.toBe(fault);
    expect({ calls: inputs().length, tally: call.tally }).toEqual({
      calls: 1,
      tally: { retries: 0, unknown: 0, refusals: 0 },
    });
  });

  test('a throttled attempt was certainly not applied', async () => {
    const refused = new ConditionalCheckFailedException({
      message: 'The conditional request failed',
      $metadata: {},
      Item: { spaceId: { S: 'handbook' }, fileId: { S: FILE_ID }, version: { N: '5' } },
    });
    table.on(UpdateCommand).rejectsOnce(serviceError('ThrottlingException')).rejects(refused);
    const ifMatch = { ...update, precondition: { kind: 'versions', versions: [4] } } as const;
    await expect(store.updateFile(ifMatch, aCall())).rejects.toMatchObject({
      code: 'file-changed',
      message: 'If-Match does not match',
    });
  });
});
