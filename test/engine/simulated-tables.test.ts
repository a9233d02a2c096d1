import { BatchGetCommand, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { updateExpression } from '#lib/store/update-expression.ts';
import { type Item, simulateTables, tableNames } from '#test/support/simulated-tables.ts';
import { openTables } from '#test/support/tables.ts';
import { endIfUnknown } from '#test/support/unknown.ts';
import { createNetwork } from '../simulation/network.ts';
import { openRecords } from '../simulation/records.ts';

const engine = await openTables('simulated');
type Names = typeof tableNames | typeof engine.config;

type Result = { Attributes?: Item; Responses?: object; name?: string; Item?: Item };
const compared = ({ Attributes, Responses, name, Item }: Result) => {
  return { Attributes, items: Object.values(Responses ?? {}), name, Item };
};

/** Sends the same command to both, over the same file, and compares the results or rejections. */
const expectSame = async (file: Item, make: (names: Names) => BatchGetCommand | UpdateCommand) => {
  const tables = simulateTables();
  if ('tags' in file) {
    tables.put('files', file);
    await engine.client.send(new PutCommand({ TableName: engine.config.filesTable, Item: file }));
  }
  const { input } = make(tableNames);
  const real = await engine.send(make(engine.config)).then(compared, compared);
  const simulated = await tables.send(make(tableNames)).then(compared, compared);
  expect({ input, ...simulated }).toEqual({ input, ...real });
};

const written = { tags: [{ n: 1 }], summary: 'Old.', version: 5, w1: 'r5..5' };
const history = { ...written, w2: 'r4..4', w3: 'r3.p.3', w4: 'r..2' };
const returned = { ReturnValues: 'ALL_NEW', ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;
const preconditions = [undefined, [], [5], [0], [0, 5], [4, 6]];
const patches = [
  { summary: 'New.' },
  { summary: null },
  { summary: null, documentKind: 'memo' },
  { summary: 'New.', 'größe-2.0': null, 'größe-2.1': ['a', 1, true] },
];
let files = 0;

test.each([
  ['no file', {}],
  ['a file', written],
  ['a file with a history', history],
  ['a file without a version', { tags: [] }],
  ['a file whose version is NULL', { tags: [], version: null }],
  ['a file whose version is a text', { tags: [], version: '3' }],
  ['a file with entries of other types', { tags: [], w1: null, w2: 7 }],
])('the simulated table updates %s, or rejects the update, as the engine does', async (_, file) => {
  for (const patch of patches)
    for (const precondition of preconditions)
      for (const version of [4, 5, 6]) {
        const Key = { spaceId: 's', fileId: `f${++files}` };
        const mark = { id: version === 6 ? 'new' : 'r', payloadHash: 'p' };
        const expression = updateExpression({ patch, precondition, userId: 'ada', mark, version });
        const input = { Key, ...expression, ...returned };
        const update = ({ filesTable }: Names) => new UpdateCommand({ TableName: filesTable, ...input });
        await expectSame({ ...file, ...Key }, update);
      }
});

const names = { '#a': 'version', '#b': 'tags', '#c': 'missing' };
test.each([
  ['every attribute', {}],
  ['some attributes', { ProjectionExpression: '#a, #b, #c', ExpressionAttributeNames: names }],
])('the simulated table reads %s as the engine does', async (_, projection) => {
  for (const fileId of ['read', 'unknown'])
    await expectSame({ spaceId: 's', fileId: 'read', ...written }, ({ filesTable }) => {
      const read = { Keys: [{ spaceId: 's', fileId }], ConsistentRead: true, ...projection };
      return new BatchGetCommand({ RequestItems: { [filesTable]: read } });
    });
});

const Key = { spaceId: 's', fileId: 'f' };
const set = { UpdateExpression: 'SET #a = :a' };
const readOf = (Keys: readonly Item[]) =>
  new BatchGetCommand({ RequestItems: { files: { Keys: [...Keys] } } });
test.each([
  ['expressions.ts does not know "<>" in "#a <> :a"', { ...set, ConditionExpression: '#a <> :a' }],
  [
    'expressions.ts does not know "size" in "size(#a) < :a"',
    { ...set, ConditionExpression: 'size(#a) < :a' },
  ],
  [
    'expressions.ts does not know "its end" in "NOT (#a < :a"',
    { ...set, ConditionExpression: 'NOT (#a < :a' },
  ],
  ['expressions.ts does not know "+" in "SET #a = #a + :a"', { UpdateExpression: 'SET #a = #a + :a' }],
  [
    'expressions.ts does not know "ADD" in "SET #a = :a ADD #b :a"',
    { UpdateExpression: 'SET #a = :a ADD #b :a' },
  ],
  [
    'simulated-tables.ts does not know ReturnConsumedCapacity of a command',
    { ...set, ReturnConsumedCapacity: 'TOTAL' as const },
  ],
])('an update that the simulated tables do not know ends its test: %s', async (message, input) => {
  const sent = simulateTables().send(new UpdateCommand({ TableName: 'files', Key, ...input }));
  await expect(sent).rejects.toThrow();
  expect(endIfUnknown).toThrow(`test/support/${message}`);
});

test('a command that the network of a simulation does not know ends its test', () => {
  const records = openRecords({ name: '', requests: [], faults: [], faultLimit: 0 }, { time: 0, step: 0 });
  const command = new GetCommand({ TableName: 'files', Key });
  const message = { name: 'a', process: 0, sender: undefined, settle: () => undefined };
  // tsc rejects this command too.
  Reflect.apply(createNetwork(records).sendAtOnce, undefined, [{ ...message, command }]);
  expect(endIfUnknown).toThrow('test/simulation/network.ts does not know a GetCommand');
});

test.each([
  ['a GetCommand', new GetCommand({ TableName: 'files', Key })],
  ['a read of 2 records of a table', readOf([Key, { ...Key, fileId: 'g' }])],
  ['the table "Files"', new UpdateCommand({ TableName: 'Files', Key, ...set })],
])('%s, which the simulated tables do not know, ends its test', async (what, command) => {
  // tsc rejects a command that the store does not send.
  await expect(Reflect.apply(simulateTables().send, undefined, [command])).rejects.toThrow();
  expect(endIfUnknown).toThrow(`test/support/simulated-tables.ts does not know ${what}`);
});
