import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { reasonOf } from '#local/complaint.ts';
import type { Service } from '#local/service/service.ts';
import { answerConnect, answerUnreadable } from './client-error.ts';
import { toEvent } from './http-event.ts';
import { badRequest, type LambdaAnswer, notFound, serverError, tooLarge } from './lambda-answer.ts';
import { callFunction, type LambdaFunction } from './lambda-function.ts';
import { readRequestBody } from './read-request-body.ts';
import { writeAnswer, writeEarlyAnswer } from './write-answer.ts';

/** Answers a request in the gateway's place, or leaves it to the gateway and says false. */
export type Front = (request: IncomingMessage, response: ServerResponse) => boolean;

/** The function, its limits, and who is told in one line why the gateway had to answer for it. */
export type GatewayOptions = {
  lambda: LambdaFunction;
  service: Service;
  report: (line: string) => void;
  front?: Front;
  /** Told of every request that was answered, once its answer is sent, with the milliseconds it took. */
  answered?: (request: IncomingMessage, response: ServerResponse, ms: number) => void;
};

/** A server that does what API Gateway's HTTP API does with the one route, and nothing else. Not listening yet. */
export const createGateway = (options: GatewayOptions): Server => {
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    if (options.front?.(request, response)) return;
    const began = performance.now();
    response.once('finish', () => options.answered?.(request, response, performance.now() - began));
    answerRequest(options, request, response).catch((error: unknown) => {
      options.report(`gateway: ${reasonOf(error)}`);
      response.destroy();
    });
  };
  return createServer({ requireHostHeader: false }, serve)
    .on('checkContinue', serve)
    .on('connect', answerConnect)
    .on('clientError', answerUnreadable);
};

const answerRequest = async (
  options: GatewayOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const time = new Date();
  const body = await readRequestBody(request, response);
  if (body === 'broken off') return;
  if (body === 'too large') {
    const answer = eventOf(request, Buffer.alloc(0), time);
    return writeEarlyAnswer(request, response, 'statusCode' in answer ? answer : tooLarge);
  }
  const event = eventOf(request, body, time);
  const answer = 'statusCode' in event ? event : await answerOfFunction(options, event);
  try {
    writeAnswer(response, answer);
  } catch (error) {
    options.report(`function: its answer cannot be sent: ${reasonOf(error)}`);
    writeAnswer(response, serverError);
  }
};

const eventOf = (request: IncomingMessage, body: Buffer, time: Date) => {
  const { method = '', url = '', headers, httpVersion, rawHeaders, socket } = request;
  if (headers.host === undefined && httpVersion !== '1.0') return badRequest;
  const sourceIp = (socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  const requestId = randomUUID();
  try {
    return (
      toEvent({ method, target: url, httpVersion, rawHeaders, sourceIp, body, requestId, time }) ?? notFound
    );
  } catch (error) {
    if (error instanceof URIError) return badRequest;
    throw error;
  }
};

const answerOfFunction = async (
  { lambda, service, report }: GatewayOptions,
  event: Parameters<LambdaFunction>[0],
): Promise<LambdaAnswer> => {
  try {
    return await callFunction({ lambda, service }, event);
  } catch (error) {
    report(`function: ${reasonOf(error)}`);
    return serverError;
  }
};
