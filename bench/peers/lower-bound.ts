/** The lower bound, not a way to work: node:http(s) and a hand-made signature. No SDK, retries, timeouts or checks. */
import { createHash, createHmac } from 'node:crypto';
import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { plainHandler, storeOn } from './shared/operation.ts';

/** A value and an item in the JSON of DynamoDB, as far as our records need it. */
type Attribute =
  | { S: string }
  | { N: string }
  | { BOOL: boolean }
  | { L: readonly Attribute[] }
  | { M: Item };
type Item = { readonly [name: string]: Attribute };
type Reply = { readonly Item?: Item; readonly Attributes?: Item; readonly __type?: string };

const toPlain = (attribute: Attribute): unknown => {
  if ('S' in attribute) return attribute.S;
  if ('N' in attribute) return Number(attribute.N);
  if ('BOOL' in attribute) return attribute.BOOL;
  return 'L' in attribute ? attribute.L.map(toPlain) : fromItem(attribute.M);
};
const fromItem = (item: Item) =>
  Object.fromEntries(Object.entries(item).map(([name, attribute]) => [name, toPlain(attribute)]));
const toItem = (strings: Readonly<Record<string, unknown>>): Item =>
  Object.fromEntries(Object.entries(strings).map(([name, text]) => [name, { S: String(text) }]));

const {
  AWS_ACCESS_KEY_ID = '',
  AWS_SECRET_ACCESS_KEY = '',
  AWS_SESSION_TOKEN = '',
  AWS_REGION = '',
  AWS_ENDPOINT_URL_DYNAMODB = `https://dynamodb.${AWS_REGION}.amazonaws.com`,
} = process.env;

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

const scope = `${new Date().toISOString().slice(0, 10).replaceAll('-', '')}/${AWS_REGION}/dynamodb/aws4_request`;
/** Derived once, so it is valid for one day. */
const key = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${AWS_SECRET_ACCESS_KEY}`);

/** Signature Version 4 of a POST of JSON to DynamoDB: the headers to send. */
const signedHeaders = (host: string, target: string, body: string): Record<string, string> => {
  const time = new Date().toISOString().replace(/[-:]|\.\d{3}/g, '');
  const headers = {
    'content-type': 'application/x-amz-json-1.0',
    host,
    'x-amz-date': time,
    'x-amz-security-token': AWS_SESSION_TOKEN,
    'x-amz-target': `DynamoDB_20120810.${target}`,
  };
  const names = Object.keys(headers).join(';');
  const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}\n`);
  const request = `POST\n/\n\n${lines.join('')}\n${names}\n${sha256(body)}`;
  const signature = hmac(key, `AWS4-HMAC-SHA256\n${time}\n${scope}\n${sha256(request)}`).toString('hex');
  const credential = `Credential=${AWS_ACCESS_KEY_ID}/${scope}`;
  const authorization = `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=${names}, Signature=${signature}`;
  return { ...headers, authorization };
};

const { protocol, hostname, host, port } = new URL(AWS_ENDPOINT_URL_DYNAMODB);
const isTls = protocol === 'https:';
const send = isTls ? httpsRequest : httpRequest;
const agent = isTls ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });

const call = (target: string, input: object): Promise<Reply> => {
  const body = JSON.stringify(input);
  const headers = { ...signedHeaders(host, target, body), 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const request = send({ agent, hostname, port, method: 'POST', path: '/', headers }, (response) => {
      resolve(buffer(response).then((reply) => JSON.parse(reply.toString())));
    });
    request.on('error', reject).end(body);
  });
};

export const handler = plainHandler(
  storeOn({
    get: async ({ TableName, Key }) => {
      const { Item } = await call('GetItem', { TableName, Key: toItem(Key), ConsistentRead: true });
      return Item && fromItem(Item);
    },
    update: async ({ Key, ExpressionAttributeValues: values, ...input }) => {
      const { Attributes, __type } = await call('UpdateItem', {
        ...input,
        Key: toItem(Key),
        ...(values && { ExpressionAttributeValues: toItem(values) }),
      });
      if (!Attributes && !__type?.endsWith('ConditionalCheckFailedException')) throw new Error(__type);
      return Attributes && fromItem(Attributes);
    },
  }),
);
