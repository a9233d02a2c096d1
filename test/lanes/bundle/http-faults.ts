import type { ServerResponse } from 'node:http';
import { brokenReplies, jsonReply, type Reply } from '#test/support/server.ts';

/** A part of every text that must not leave the function. Each fault contains it wherever possible. */
export const SECRET = 'CANARY';

const page = (status: number) => jsonReply(`<html><body>${SECRET}</body></html>`, status);
/** An error of DynamoDB, with the whole request in its message. */
const error =
  (name: string, status = 400, words = ''): Reply =>
  (response, request) => {
    const message = `${words} ${SECRET} ${request.body}\n    at ${SECRET} (${SECRET}.js:1:1)`;
    const body = JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${name}`, message });
    return jsonReply(body, status)(response, request);
  };
export const rejectedSignature = (words: string) => error('InvalidSignatureException', 400, words);
const errors = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, error(name)]));
const after =
  (reply: Reply): Reply =>
  async (response, request) => {
    await request.deliver();
    return reply(response, request);
  };
const beforeAndAfter = (faults: Readonly<Record<string, Reply>>) =>
  Object.fromEntries(
    Object.entries(faults).flatMap(([name, fault]) => [
      [`${name}, not applied`, fault],
      [`${name}, applied`, after(fault)],
    ]),
  );
/** The engine's own response, changed. */
const changed =
  (change: (body: string) => string): Reply =>
  async (response, request) => {
    const { body } = await request.deliver();
    return jsonReply(change(body))(response, request);
  };
const firstHalf = (body: string) => body.slice(0, body.length / 2);
/** The head, and half of the body that it announces. */
const half =
  (then: (response: ServerResponse) => unknown): Reply =>
  async (response, { deliver }) => {
    const { body } = await deliver();
    response.writeHead(200, { 'content-length': Buffer.byteLength(body) });
    response.write(firstHalf(body), () => then(response));
  };
/** Bytes that are no HTTP response, or one that ends the protocol. */
const raw = (bytes: string) => after((_, { socket }) => socket.end(bytes));
const endless = after((response) => {
  const megabyte = SECRET.padEnd(1024 * 1024);
  const send = () => {
    while (response.writable && response.write(megabyte));
  };
  response.writeHead(200).on('drain', send);
  send();
});
export const hang: Reply = () => undefined;

/** After one of these, the call may succeed a moment later. */
export const transient: Readonly<Record<string, Reply>> = {
  ...beforeAndAfter({
    reset: brokenReplies.reset,
    hang,
    '500': error('InternalServerError', 500),
    '502': page(502),
    '503': error('ServiceUnavailable', 503),
    '504': page(504),
  }),
  'cut, with the wrong length': half((response) => response.destroy()),
  'cut, with the right length': changed(firstHalf),
  'cut, and kept open': half(() => undefined),
  'empty body': after(jsonReply('')),
  'empty object': after(jsonReply('{}')),
  'foreign JSON': after(jsonReply(`{"hello":["${SECRET}"]}`)),
  'HTML under status 200': after(page(200)),
  'malformed HTTP head': raw(`HTTP/1.1 abc ${SECRET}\r\n\r\n`),
  'text that is no HTTP': raw(`${SECRET}\r\n\r\n`),
  'switch of protocols': raw('HTTP/1.1 101 OK\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
  'endless body': endless,
  ...errors('ProvisionedThroughputExceededException', 'ThrottlingException', 'RequestLimitExceeded'),
  ...errors('TransactionConflictException', 'ReplicatedWriteConflictException'),
  'a signature of the past': rejectedSignature('Signature expired: 1 is now earlier than 2 (3 - 5 min.)'),
  'a signature of the future': rejectedSignature('Signature not yet current: 3 is still later than 2'),
};

/** After one of these, the same call would fail again. */
export const permanent: Readonly<Record<string, Reply>> = {
  ...errors('AccessDeniedException', 'ExpiredTokenException', 'UnrecognizedClientException'),
  ...errors('InvalidSignatureException', 'MissingAuthenticationTokenException'),
  ...errors('ResourceNotFoundException', 'ValidationException', 'SerializationException'),
  // As others have captured it.
  'a disabled KMS key': error('ValidationException', 400, 'KMS key disabled error'),
  'the reply to another call': changed((body) => body.replaceAll(/space-\d+/g, 'other')),
};

/** What DynamoDB says about an item above 400 KB. */
export const itemTooLarge = error('ValidationException', 400, 'Item size has exceeded the maximum');
