import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { createStore } from '#lib/runtime/deps.ts';
import { aRequestContext, createEnvironment } from '#test/support/environment.ts';
import { aFile, NOW } from '#test/support/given.ts';
import { openTables } from '#test/support/tables.ts';

/*
 * Another service that changes files by the rules of docs/contract.md, "Services that write files". An instance of this
 * service whose clock was a day ahead must not lock it out.
 */
const tables = await openTables('other-services');
const now = NOW * 1000;
const aDayAhead = now + 86_400_000_000;
let files = 0;

/** Sets the language of a file, under the condition that the contract asks for. */
const setLanguage = async (fileId: string, version: number) => {
  const command = new UpdateCommand({
    TableName: tables.config.filesTable,
    Key: { spaceId: 'handbook', fileId },
    UpdateExpression: 'SET #language = :language, #version = :version',
    ConditionExpression:
      'attribute_exists(fileId) AND (attribute_not_exists(#version) OR #version < :version)',
    ExpressionAttributeNames: { '#language': 'language', '#version': 'version' },
    ExpressionAttributeValues: { ':language': 'fr', ':version': version },
  });
  await tables.client.send(command);
};

test.each([
  ['without a version', undefined, now],
  ['written in the past', now - 1, now],
  ['written by a clock that was a day ahead', aDayAhead, aDayAhead + 1],
])(
  'another service changes a file %s: the greater of now and its version plus one',
  async (_, stored, next) => {
    const fileId = `file-${++files}`;
    await tables.putFile(aFile({ fileId, ...(stored !== undefined && { version: stored }) }));
    const { version = 0 } = (await tables.getFile('handbook', fileId)) ?? {};
    await setLanguage(fileId, Math.max(now, Number(version) + 1));
    const changed = aFile({ fileId, language: 'fr', version: next });
    expect(await tables.getFile('handbook', fileId)).toEqual(changed);

    // The next update of this service comes after it, and an etag from before it no longer matches.
    const { updateFile } = createStore({ ...tables.config, client: tables.client }, createEnvironment());
    const update = {
      spaceId: 'handbook',
      fileId,
      patch: { summary: 'New.' },
      tenantId: 'acme',
      userId: 'grace',
      idempotencyKey: undefined,
    };
    const before = { kind: 'versions', versions: [stored ?? 0] } as const;
    await expect(updateFile({ ...update, precondition: before }, aRequestContext())).rejects.toMatchObject({
      code: 'file-changed',
      details: { version: next },
    });
    const found = { kind: 'versions', versions: [next] } as const;
    expect(await updateFile({ ...update, precondition: found }, aRequestContext())).toMatchObject({
      file: { summary: 'New.', language: 'fr' },
      version: next + 1,
    });
  },
);

test('with "now" alone as its version, it is locked out by a clock that was a day ahead', async () => {
  const fileId = `file-${++files}`;
  await tables.putFile(aFile({ fileId, version: aDayAhead }));
  await expect(setLanguage(fileId, now)).rejects.toThrow(ConditionalCheckFailedException);
  expect(await tables.getFile('handbook', fileId)).toEqual(aFile({ fileId, version: aDayAhead }));
});
