import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { MIN_FREE_BYTES, RECENT_WRITES } from '#lib/store/recent-writes.ts';
import { createStore } from '#lib/store/update-file.ts';
import { aFile, NOW } from '#test/support/fixtures.ts';
import { aRequestContext, createTestSystem } from '#test/support/system.ts';
import { openTables } from '#test/support/tables.ts';

/*
 * Another service that creates, changes and deletes files by the rules of docs/tables.md, "Write files". An
 * instance of this service whose clock was a day ahead must not lock it out, and a late copy of a message does no harm.
 */
const tables = await openTables('other-services');
const now = NOW * 1000;
const aDayAhead = now + 86_400_000_000;
let files = 0;

/** Sets one attribute of a file, under the condition that the contract asks for. */
const changeFile = async (fileId: string, attribute: string, value: string, version: number) => {
  const command = new UpdateCommand({
    TableName: tables.config.filesTable,
    Key: { spaceId: 'handbook', fileId },
    UpdateExpression: 'SET #attribute = :value, #version = :version',
    ConditionExpression:
      'attribute_exists(fileId) AND (attribute_not_exists(#version) OR #version < :version)',
    ExpressionAttributeNames: { '#attribute': attribute, '#version': 'version' },
    ExpressionAttributeValues: { ':value': value, ':version': version },
  });
  await tables.client.send(command);
};

const createUpdateFile = () =>
  createStore({ ...tables.config, client: tables.client }, createTestSystem()).updateFile;
const updateOf = (fileId: string) => ({
  spaceId: 'handbook',
  fileId,
  patch: { summary: 'New.' },
  tenantId: 'acme',
  userId: 'grace',
  idempotencyKey: undefined,
});

test.each([
  ['without a version', undefined, now],
  ['written in the past', now - 1, now],
  ['written by a clock that was a day ahead', aDayAhead, aDayAhead + 1],
])(
  'another service can change a file %s, with the greater of now and its version plus one',
  async (_, stored, next) => {
    const fileId = `file-${++files}`;
    await tables.putFile(aFile({ fileId, ...(stored !== undefined && { version: stored }) }));
    const { version = 0 } = (await tables.getFile('handbook', fileId)) ?? {};
    await changeFile(fileId, 'language', 'fr', Math.max(now, Number(version) + 1));
    const changed = aFile({ fileId, language: 'fr', version: next });
    expect(await tables.getFile('handbook', fileId)).toEqual(changed);

    // The next update of this service comes after it, and an etag from before it no longer matches.
    const [update, updateFile] = [updateOf(fileId), createUpdateFile()];
    await expect(
      updateFile({ ...update, precondition: [stored ?? 0] }, aRequestContext()),
    ).rejects.toMatchObject({
      code: 'file-changed',
      details: { version: next },
    });
    expect(await updateFile({ ...update, precondition: [next] }, aRequestContext())).toMatchObject({
      file: { summary: 'New.', language: 'fr' },
      version: next + 1,
    });
  },
);

test('a clock that was a day ahead locks out a service that sets "now" alone as the version', async () => {
  const fileId = `file-${++files}`;
  await tables.putFile(aFile({ fileId, version: aDayAhead }));
  await expect(changeFile(fileId, 'language', 'fr', now)).rejects.toThrow(ConditionalCheckFailedException);
  expect(await tables.getFile('handbook', fileId)).toEqual(aFile({ fileId, version: aDayAhead }));
});

const createFile = (file: Record<string, unknown>, condition = 'attribute_not_exists(fileId)') =>
  tables.client.send(
    new PutCommand({
      TableName: tables.config.filesTable,
      Item: file,
      ...(condition && { ConditionExpression: condition }),
    }),
  );
/** Deletes a file under the condition that it has the version that was read, if any. */
const deleteFile = (fileId: string, version: number | undefined) =>
  tables.client.send(
    new DeleteCommand({
      TableName: tables.config.filesTable,
      Key: { spaceId: 'handbook', fileId },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      ...(version === undefined
        ? { ConditionExpression: 'attribute_not_exists(version)' }
        : {
            ConditionExpression: 'version = :version',
            ExpressionAttributeValues: { ':version': version },
          }),
    }),
  );

test('a creation that arrives again does not erase an update that got 200', async () => {
  const file = aFile({ fileId: `file-${++files}`, version: now - 9 });
  await createFile(file);
  const update = { ...updateOf(file.fileId), idempotencyKey: 'key', precondition: undefined };
  const updateFile = createUpdateFile();
  await updateFile(update, aRequestContext());

  await expect(createFile(file)).rejects.toThrow(ConditionalCheckFailedException);
  expect(await updateFile(update, aRequestContext({ requestId: 'request-2' }))).toMatchObject({
    file: { summary: 'New.' },
    version: now,
    replayed: true,
  });

  // Without the condition, it erases the update, also what the file remembers.
  await createFile(file, '');
  expect(await tables.getFile('handbook', file.fileId)).toEqual(file);
});

test.each([
  ['a version', now - 9],
  ['no version', undefined],
])(
  'a deletion of a file with %s that arrives again spares the file that was created again',
  async (_, version) => {
    const fileId = `file-${++files}`;
    await createFile(aFile({ fileId, ...(version !== undefined && { version }) }));
    await deleteFile(fileId, version);
    const again = aFile({ fileId, version: now });
    await createFile(again);

    await expect(deleteFile(fileId, version)).rejects.toThrow(ConditionalCheckFailedException);
    expect(await tables.getFile('handbook', fileId)).toEqual(again);
  },
);

test('a deletion that arrives again finds no file', async () => {
  const fileId = `file-${++files}`;
  await createFile(aFile({ fileId, version: now }));
  await deleteFile(fileId, now);
  const error = await deleteFile(fileId, now).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: 'ConditionalCheckFailedException', Item: undefined });
});

test('a deletion under a condition does not remove an update that its service has not read', async () => {
  const fileId = `file-${++files}`;
  await createFile(aFile({ fileId, version: now - 9 }));
  await createUpdateFile()({ ...updateOf(fileId), precondition: undefined }, aRequestContext());
  await expect(deleteFile(fileId, now - 9)).rejects.toThrow(ConditionalCheckFailedException);
  expect(await tables.getFile('handbook', fileId)).toMatchObject({ summary: 'New.', version: now });
});

/** The bytes of an item of texts and numbers, at most (AWS, "DynamoDB item sizes and formats"). */
const bytesOf = (item: object) => Buffer.byteLength(Object.entries(item).flat().join(''));
test('what updates by the longest user id and keys add to a file fits into the bytes that it must leave free', async () => {
  const file = {
    spaceId: 'handbook',
    fileId: `file-${++files}`,
    language: 'en',
    domain: 'hr',
    summary: 'Old.',
  };
  await tables.putFile(file);
  const updateFile = createUpdateFile();
  // One more than it remembers.
  for (let index = 0; index <= RECENT_WRITES; index += 1) {
    const ids = {
      userId: 'u'.repeat(128),
      idempotencyKey: `${index}`.padEnd(128, 'k'),
      precondition: undefined,
    };
    await updateFile({ ...updateOf(file.fileId), ...ids }, aRequestContext());
  }
  const item = await tables.getFile('handbook', file.fileId);
  const added = bytesOf({ ...item }) - bytesOf(file);
  const promise = `MIN_FREE_BYTES has room for ${RECENT_WRITES} remembered writes, version and updatedBy`;
  expect(added, promise).toBeLessThanOrEqual(MIN_FREE_BYTES);
});

/*
 * A change by the rules whose response was lost. DynamoDB rejects its retry, and the service reads the file: only with its
 * version and its value, it knows that the change was made.
 */
const byModel = 'Written by a model.';
const byGrace = { summary: 'New.' };
const rejectedRetry = async (fileId: string, version: number) => {
  const retry = changeFile(fileId, 'summary', byModel, version);
  await expect(retry).rejects.toThrow(ConditionalCheckFailedException);
  return tables.getFile('handbook', fileId);
};

test('a change was made if its rejected retry finds its version and its value', async () => {
  const fileId = `file-${++files}`;
  await tables.putFile(aFile({ fileId, version: now - 9 }));
  await changeFile(fileId, 'summary', byModel, now - 5);
  expect(await rejectedRetry(fileId, now - 5)).toMatchObject({ summary: byModel, version: now - 5 });
});

test('a change may have been made and replaced if its rejected retry finds another version', async () => {
  const fileId = `file-${++files}`;
  await tables.putFile(aFile({ fileId, version: now - 9 }));
  await changeFile(fileId, 'summary', byModel, now - 5);
  await createUpdateFile()({ ...updateOf(fileId), precondition: undefined }, aRequestContext());
  expect(await rejectedRetry(fileId, now - 5)).toMatchObject({ ...byGrace, version: now });

  // The service must decide anew. With the version that it has read plus one, it replaces Grace's update by an older change.
  await changeFile(fileId, 'summary', byModel, now + 1);
  expect(await tables.getFile('handbook', fileId)).toMatchObject({ summary: byModel, version: now + 1 });
});

test.each([
  ['a version of the past, in the same millisecond', now - 9, now],
  ['a version that is ahead of the time', aDayAhead, aDayAhead + 1],
])(
  'a change was not made if its rejected retry finds its version, but not its value: after %s',
  async (_, stored, next) => {
    const fileId = `file-${++files}`;
    await tables.putFile(aFile({ fileId, version: stored }));
    const { version: read } = (await tables.getFile('handbook', fileId)) ?? {};
    const version = Math.max(now, Number(read) + 1);
    // Grace's update comes between, and computes the same version. So the first attempt was rejected too.
    await createUpdateFile()({ ...updateOf(fileId), precondition: undefined }, aRequestContext());
    expect([version, await rejectedRetry(fileId, version)]).toMatchObject([
      next,
      { ...byGrace, version: next },
    ]);

    await changeFile(fileId, 'summary', byModel, next + 1);
    expect(await tables.getFile('handbook', fileId)).toMatchObject({ summary: byModel, version: next + 1 });
  },
);

test('the stream has a record for each change', async () => {
  const fileId = `file-${++files}`;
  const key = { spaceId: 'handbook', fileId };
  const update = { ...updateOf(fileId), idempotencyKey: 'key-1', precondition: undefined };
  const updateFile = createUpdateFile();

  await tables.putFile(aFile({ fileId, version: now - 9 }));
  await updateFile(update, aRequestContext());
  const repeated = await updateFile(update, aRequestContext({ requestId: 'request-2' }));
  expect(repeated).toMatchObject({ version: now, replayed: true });
  const stale = { ...updateOf(fileId), precondition: [now - 9] };
  await expect(updateFile(stale, aRequestContext())).rejects.toThrow();
  await changeFile(fileId, 'language', 'fr', now + 1);
  await tables.putFile(aFile({ fileId }));
  await tables.client.send(new DeleteCommand({ TableName: tables.config.filesTable, Key: key }));

  const ofFile = (await tables.changes()).filter(
    ({ before, after }) => (after ?? before)?.['fileId'] === fileId,
  );
  expect(
    ofFile.map(({ before, after, record }) => {
      const isOurs = after !== undefined && after['w1'] !== before?.['w1'];
      return [record.eventName, after?.['version'], isOurs];
    }),
  ).toEqual([
    ['INSERT', now - 9, false],
    ['MODIFY', now, true],
    ['MODIFY', now + 1, false],
    ['MODIFY', undefined, true],
    ['REMOVE', undefined, false],
  ]);
});
