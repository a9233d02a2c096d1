import type { ServerResponse } from 'node:http';
import { CANARY } from './world.ts';

/** One call on its way to the engine. */
export type Exchange = {
  /** What was sent: ids, key hash, summary. */
  readonly sent: string;
  readonly response: ServerResponse;
  /** Lets the engine apply it and gives its reply. */
  readonly forward: () => Promise<string>;
};
/** What becomes of the call. All of them say as much as they can. */
export type Fault = (exchange: Exchange) => void | Promise<void>;

const type = 'application/x-amz-json-1.0';
const reply = (response: ServerResponse, status: number, body: string, contentType = type) =>
  void response.writeHead(status, { 'content-type': contentType }).end(body);
const exception =
  (status: number, name: string, words = ''): Fault =>
  ({ sent, response }) => {
    const message = `${words} ${CANARY} arn:aws:dynamodb:::table/${CANARY} ${sent}`;
    reply(response, status, JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${name}`, message }));
  };
const html = (sent: string) => `<html><body><h1>${CANARY}</h1>${sent}</body></html>`;
const strange = { S: `${CANARY}-STRANGE` };

export const faults: readonly [Fault, ...Fault[]] = [
  ({ response }) => void response.destroy(),
  async ({ response, forward }) => {
    await forward();
    response.destroy();
  },
  async ({ response, forward }) => {
    const body = await forward();
    response.writeHead(200, { 'content-type': type, 'content-length': body.length + 10 });
    response.write(body, () => response.destroy());
  },
  async ({ response, forward }) => {
    const body = await forward();
    reply(response, 200, body.slice(0, body.length / 2));
  },
  ({ sent, response }) => reply(response, 200, html(sent), 'text/html'),
  ({ sent, response }) => reply(response, 502, html(sent), 'text/html'),
  ({ sent, response }) => reply(response, 200, `${CANARY} ${sent}`),
  ({ sent, response }) => reply(response, 200, `{"Attributes":{"summary":{"S":"${CANARY}"}} ${sent}`),
  ({ response }) => reply(response, 200, ''),
  ({ response }) => reply(response, 200, '{}'),
  ({ response }) =>
    reply(
      response,
      200,
      JSON.stringify({ Attributes: { fileId: strange, spaceId: strange, [CANARY]: strange } }),
    ),
  ({ response }) => reply(response, 200, JSON.stringify({ Attributes: strange, Responses: strange })),
  exception(500, 'InternalServerError'),
  exception(503, 'ServiceUnavailable'),
  exception(400, 'ProvisionedThroughputExceededException'),
  exception(400, 'ThrottlingException'),
  exception(400, 'TransactionConflictException'),
  exception(400, 'ValidationException'),
  exception(400, 'ValidationException', 'Item size has exceeded the maximum allowed size'),
  exception(400, 'AccessDeniedException'),
  exception(400, 'ExpiredTokenException'),
  exception(400, 'ResourceNotFoundException'),
  exception(400, 'SerializationException'),
  ({ response }) => {
    const message = `${CANARY}\n    at ${CANARY} (${CANARY}.js:1:1)\n    at ${CANARY}`;
    reply(response, 400, JSON.stringify({ __type: 'ValidationException', message }));
  },
  ({ response }) => {
    const body = { __type: 'ConditionalCheckFailedException', message: CANARY, Item: { [CANARY]: strange } };
    reply(response, 400, JSON.stringify(body));
  },
];
