import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import { marshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod';
import { hashApiKey } from '#lib/domain/api-key.ts';
import demo from '#tools/tables/demo-data.json' with { type: 'json' };
import event from '../../events/update-file.json' with { type: 'json' };

/** The only record: an API key, a space and a file. Each reader takes its own attributes. */
const keyHash = hashApiKey(event.headers['x-api-key']);
const record = marshall({ ...demo.apiKeys[0], ...demo.spaces[0], ...demo.files[0], keyHash });

const KeySchema = z.record(z.string(), z.unknown());
const InputSchema = z.object({
  RequestItems: z.record(z.string(), z.object({ Keys: z.array(KeySchema) })).default({}),
  Key: KeySchema.default({}),
  UpdateExpression: z.string().default(''),
  ExpressionAttributeNames: z.record(z.string(), z.string()).default({}),
  ExpressionAttributeValues: z.record(z.string(), z.unknown()).default({}),
});
type Input = z.infer<typeof InputSchema>;

/** The record after all assignments of the form `name = :value`. */
const applyExpression = ({
  UpdateExpression,
  ExpressionAttributeNames,
  ExpressionAttributeValues,
}: Input) => {
  const assignments = [...UpdateExpression.matchAll(/([#\w]+) = (:\w+)/g)].map(
    ([, name = '', value = '']) => [ExpressionAttributeNames[name] ?? name, ExpressionAttributeValues[value]],
  );
  return { ...record, ...Object.fromEntries(assignments) };
};

/** Not for the key of priming, which nobody has. */
const exists = (key: z.infer<typeof KeySchema>) =>
  Object.entries(key).every(([name, value]) => isDeepStrictEqual(value, record[name]));

const outputs: Readonly<Record<string, (input: Input) => readonly [status: number, body: object]>> = {
  BatchGetItem: ({ RequestItems }) => {
    const found = Object.entries(RequestItems).map(([table, { Keys }]) => {
      return [table, Keys.filter(exists).map(() => record)] as const;
    });
    return [200, { Responses: Object.fromEntries(found), UnprocessedKeys: {} }];
  },
  GetItem: ({ Key }) => [200, exists(Key) ? { Item: record } : {}],
  UpdateItem: (input) =>
    exists(input.Key)
      ? [200, { Attributes: applyExpression(input) }]
      : [400, { __type: 'com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException' }],
};

/** Answers a request as a DynamoDB that has this record only. The condition of a write fits if its record exists. */
export const respondAsStub = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const [, operation = ''] = String(request.headers['x-amz-target']).split('.');
  const [status, body] = outputs[operation]?.(InputSchema.parse(await json(request))) ?? [400, {}];
  response.setHeader('content-type', 'application/x-amz-json-1.0');
  response.writeHead(status).end(JSON.stringify(body));
};
