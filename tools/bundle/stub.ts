import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { marshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod';
import { hashApiKey } from '#lib/domain/api-key.ts';
import demo from '#tools/tables/demo-data.json' with { type: 'json' };
import event from '../../events/update-file.json' with { type: 'json' };

/** Valid as an API key, as a space and as a file: each reader takes its own attributes. */
const keyHash = hashApiKey(event.headers['x-api-key']);
const record = marshall({ ...demo.apiKeys[0], ...demo.spaces[0], ...demo.files[0], keyHash });

const InputSchema = z.object({
  RequestItems: z.record(z.string(), z.unknown()).default({}),
  UpdateExpression: z.string().default(''),
  ExpressionAttributeNames: z.record(z.string(), z.string()).default({}),
  ExpressionAttributeValues: z.record(z.string(), z.unknown()).default({}),
});
type Input = z.infer<typeof InputSchema>;

/** The record after all assignments of the form `name = :value`. */
const updated = ({ UpdateExpression, ExpressionAttributeNames, ExpressionAttributeValues }: Input) => {
  const assignments = [...UpdateExpression.matchAll(/([#\w]+) = (:\w+)/g)].map(
    ([, name = '', value = '']) => [ExpressionAttributeNames[name] ?? name, ExpressionAttributeValues[value]],
  );
  return { ...record, ...Object.fromEntries(assignments) };
};

const outputs: Readonly<Record<string, (input: Input) => object>> = {
  GetItem: () => ({ Item: record }),
  BatchGetItem: ({ RequestItems }) => ({
    Responses: Object.fromEntries(Object.keys(RequestItems).map((table) => [table, [record]])),
    UnprocessedKeys: {},
  }),
  UpdateItem: (input) => ({ Attributes: updated(input) }),
};

/** Answers a request as a DynamoDB in which every record exists and every write succeeds. */
export const respondAsStub = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const [, operation = ''] = String(request.headers['x-amz-target']).split('.');
  const output = outputs[operation]?.(InputSchema.parse(await json(request)));
  response.setHeader('content-type', 'application/x-amz-json-1.0');
  response.writeHead(output ? 200 : 400).end(JSON.stringify(output ?? {}));
};
