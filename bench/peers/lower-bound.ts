/** The lower bound, not a way to work: node:http(s) and a signature. No SDK, retries, timeouts or checks. */
import http from 'node:http';
import https from 'node:https';
import { text } from 'node:stream/consumers';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { sign } from 'aws4';
import { createHandler } from './shared/handler.ts';
import { type Calls, createPrime, readTogether } from './shared/operation.ts';

type Item = Parameters<typeof unmarshall>[0];
type Output = {
  readonly Responses?: Readonly<Record<string, readonly Item[]>>;
  readonly UnprocessedKeys?: object;
  readonly Attributes?: Item;
  readonly __type?: string;
};

const { AWS_REGION: region = '', AWS_ENDPOINT_URL_DYNAMODB } = process.env;
const { protocol, hostname, host, port } = new URL(
  AWS_ENDPOINT_URL_DYNAMODB ?? `https://dynamodb.${region}.amazonaws.com`,
);
const { Agent, request: send } = protocol === 'https:' ? https : http;
const agent = new Agent({ keepAlive: true });
const service = { service: 'dynamodb', region, hostname, port, method: 'POST', path: '/' };

const call = (operation: string, input: object) => {
  const body = JSON.stringify(input);
  const target = `DynamoDB_20120810.${operation}`;
  const headers = { host, 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': target };
  const signed = sign({ ...service, headers, body });
  return new Promise<Output>((resolve, reject) => {
    const request = send({ ...signed, agent }, (response) => resolve(text(response).then(JSON.parse)));
    request.on('error', reject).end(body);
  });
};

const mapValues = <From, To>(values: Readonly<Record<string, From>>, map: (value: From) => To) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]));

const calls: Calls = {
  readAccess: readTogether(async ({ RequestItems }) => {
    const reads = mapValues(RequestItems, ({ Keys, ...read }) => ({
      ...read,
      Keys: Keys.map((key) => marshall(key)),
    }));
    const { Responses = {}, UnprocessedKeys } = await call('BatchGetItem', { RequestItems: reads });
    return {
      Responses: mapValues(Responses, (items) => items.map((item) => unmarshall(item))),
      UnprocessedKeys,
    };
  }),
  update: async ({ Key, ExpressionAttributeValues: values, ...input }) => {
    const { Attributes, __type } = await call('UpdateItem', {
      ...input,
      Key: marshall(Key),
      ...(values && { ExpressionAttributeValues: marshall(values) }),
    });
    if (!Attributes && !__type?.endsWith('ConditionalCheckFailedException')) throw new Error(__type);
    return Attributes && unmarshall(Attributes);
  },
};

export const handler = createHandler(calls);
export const prime = createPrime(calls);
