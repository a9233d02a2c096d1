import type { Fault } from './fault-proxy.ts';

/** Part of everything that must not leave the function: each fault says it as loudly as it can. */
export const SECRET = 'CANARY';

const json = { 'content-type': 'application/x-amz-json-1.0' };
const reply =
  (body: string, status = 200): Fault =>
  ({ response }) =>
    response.writeHead(status, { ...json, 'content-length': Buffer.byteLength(body) }).end(body);
const page = (status: number) => reply(`<html><body>${SECRET}</body></html>`, status);
/** An error of DynamoDB, with the whole request in its message. */
const error =
  (name: string, status = 400, words = ''): Fault =>
  (exchange) => {
    const message = `${words} ${SECRET} ${exchange.sent}\n    at ${SECRET} (${SECRET}.js:1:1)`;
    const body = JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${name}`, message });
    return reply(body, status)(exchange);
  };
const errors = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, error(name)]));
const after =
  (fault: Fault): Fault =>
  async (exchange) => {
    await exchange.deliver();
    return fault(exchange);
  };
/** The engine's own response, changed. */
const changed =
  (change: (body: string) => string): Fault =>
  async (exchange) =>
    reply(change(await exchange.deliver()))(exchange);

export const reset: Fault = ({ response }) => response.destroy();
export const hang: Fault = () => undefined;
/** Bytes that are no HTTP response, or one that ends the protocol. */
const raw =
  (bytes: string): Fault =>
  ({ response }) =>
    response.socket?.end(bytes);
/** The head and half of the body. */
const half =
  (then: 'break' | 'wait'): Fault =>
  async ({ response, deliver }) => {
    const body = await deliver();
    response.writeHead(200, { ...json, 'content-length': Buffer.byteLength(body) });
    response.write(body.slice(0, body.length / 2), () => then === 'break' && response.destroy());
  };
const endless: Fault = async ({ response, deliver }) => {
  await deliver();
  const megabyte = SECRET.padEnd(1024 * 1024);
  const send = () => {
    while (response.writable && response.write(megabyte));
  };
  response.writeHead(200, json).on('drain', send);
  send();
};

/** After one of these, the call may succeed a moment later. */
export const transient: Readonly<Record<string, Fault>> = {
  'reset before': reset,
  'reset after': after(reset),
  'hang before': hang,
  'hang after': after(hang),
  '500 before': error('InternalServerError', 500),
  '500 after': after(error('InternalServerError', 500)),
  '502 before': page(502),
  '502 after': after(page(502)),
  '503 before': error('ServiceUnavailable', 503),
  '503 after': after(error('ServiceUnavailable', 503)),
  '504 before': page(504),
  '504 after': after(page(504)),
  'cut, with the wrong length': half('break'),
  'cut, with the right length': changed((body) => body.slice(0, body.length / 2)),
  'cut, and kept open': half('wait'),
  'empty body': after(reply('')),
  'empty object': after(reply('{}')),
  'foreign JSON': after(reply(`{"hello":["${SECRET}"]}`)),
  'HTML under status 200': after(page(200)),
  'malformed HTTP head': after(raw(`HTTP/1.1 abc ${SECRET}\r\n\r\n`)),
  'text that is no HTTP': after(raw(`${SECRET}\r\n\r\n`)),
  'switch of protocols': after(raw('HTTP/1.1 101 OK\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n')),
  'endless body': endless,
  ...errors('ProvisionedThroughputExceededException', 'ThrottlingException', 'RequestLimitExceeded'),
  ...errors('TransactionConflictException', 'ReplicatedWriteConflictException'),
};

/** After one of these, the same call would fail again. */
export const permanent: Readonly<Record<string, Fault>> = {
  ...errors('AccessDeniedException', 'ExpiredTokenException', 'UnrecognizedClientException'),
  ...errors('InvalidSignatureException', 'MissingAuthenticationTokenException', 'KMSAccessDeniedException'),
  ...errors('ResourceNotFoundException', 'ValidationException', 'SerializationException'),
  'the reply to another call': changed((body) => body.replaceAll(/lane-\d+/g, 'other')),
};

/** What DynamoDB says about an item above 400 KB. */
export const itemTooLarge = error('ValidationException', 400, 'Item size has exceeded the maximum');
