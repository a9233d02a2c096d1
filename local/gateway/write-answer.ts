import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LambdaAnswer } from './lambda-answer.ts';

const lingerMs = 2000;

/** Sends an answer. Throws, with nothing sent, when a header cannot be written. */
export const writeAnswer = (response: ServerResponse, answer: LambdaAnswer): void => {
  writeHead(response, answer);
  response.end(bodyOf(answer));
};

/**
 * Sends an answer while the body is still coming in, then reads on and drops it for a while: a client that is
 * cut off while it sends never sees the answer.
 */
export const writeEarlyAnswer = async (
  request: IncomingMessage,
  response: ServerResponse,
  answer: LambdaAnswer,
): Promise<void> => {
  response.shouldKeepAlive = false;
  writeHead(response, answer);
  response.write(bodyOf(answer));
  request.resume();
  // Who waits to be told to go on has sent nothing, and now will not.
  if (request.headers.expect !== undefined) return void response.end();
  const gone = new AbortController();
  const done = new Promise<void>((resolve) => {
    request.once('end', resolve).once('close', resolve);
  });
  await Promise.race([done, sleep(lingerMs, undefined, { signal: gone.signal }).catch(() => undefined)]);
  gone.abort();
  response.end();
};

const bodyOf = ({ body, isBase64Encoded }: LambdaAnswer): Buffer =>
  Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');

const writeHead = (response: ServerResponse, answer: LambdaAnswer): void => {
  const { statusCode, headers, cookies } = answer;
  // An answer that could not be written may have left some of its headers.
  for (const name of response.getHeaderNames()) response.removeHeader(name);
  const fields = new Headers(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  response.setHeaders(fields);
  if (cookies.length > 0) response.setHeader('set-cookie', cookies);
  // 204 and 304 have no body, and so no length.
  if (statusCode !== 204 && statusCode !== 304) {
    response.setHeader('content-length', bodyOf(answer).length);
  }
  response.writeHead(statusCode);
};
