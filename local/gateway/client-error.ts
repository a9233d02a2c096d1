import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { codeOf } from '#local/complaint.ts';
import { badRequest, gatewayAnswer, type LambdaAnswer, notFound } from './lambda-answer.ts';

const headerFieldsTooLarge = gatewayAnswer(431, 'Request Header Fields Too Large');
const requestTimeout = gatewayAnswer(408, 'Request Timeout');

/** Answers what Node's parser could not read as a request, and closes the connection. */
export const answerUnreadable = (error: Error & { rawPacket?: Buffer }, socket: Duplex): void => {
  const code = codeOf(error);
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
  } else if (code === 'HPE_HEADER_OVERFLOW') {
    endWith(socket, headerFieldsTooLarge);
  } else if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    endWith(socket, requestTimeout);
  } else {
    endWith(socket, code === 'HPE_INVALID_METHOD' && isRequest(error.rawPacket) ? notFound : badRequest);
  }
};

/** CONNECT is a method without a route, like any other. */
export const answerConnect = (_request: IncomingMessage, socket: Duplex): void => endWith(socket, notFound);

/** Node knows a list of methods; a request with one of its own is well formed all the same. */
const isRequest = (packet: Buffer | undefined): boolean =>
  /^[\w!#$%&'*+.^`|~-]+ \S+ HTTP\/1\.[01]\r?\n/.test(packet?.toString('latin1') ?? '');

const endWith = (socket: Duplex, { statusCode, body }: LambdaAnswer): void => {
  socket.end(
    `HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}\r\n` +
      'content-type: application/json\r\n' +
      `content-length: ${Buffer.byteLength(body)}\r\n` +
      `connection: close\r\n\r\n${body}`,
  );
};
