import * as http from 'node:http';
import * as https from 'node:https';
import { codeOf, reasonOf } from '#tools/cli.ts';
import { type Answer, answerTo, type NoAnswer } from './answer.ts';
import type { HttpRequest } from './request.ts';

const timeoutMs = 10_000;

const hungUp: NoAnswer = { status: 0, reason: 'the connection was closed' };

/** Sends requests to one base URL, one connection for all. Never throws for what the network does. */
export type Client = {
  readonly send: (request: HttpRequest) => Promise<Answer | NoAnswer>;
  /** Whether three requests in a row went unanswered. */
  readonly isGone: () => boolean;
  readonly close: () => void;
};

export const createClient = (baseUrl: URL): Client => {
  const { Agent, request: open } = baseUrl.protocol === 'https:' ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const prefix = baseUrl.pathname.replace(/\/+$/, '');

  const attempt = async ({ method, path, headers, body }: HttpRequest) => {
    const signal = AbortSignal.timeout(timeoutMs);
    // A list is sent as it is, each name as often as it stands there; Node adds no host to it.
    const request = open(baseUrl, {
      method,
      path: prefix + path,
      headers: ['host', baseUrl.host, ...headers],
      agent,
      signal,
    });
    try {
      return await answerTo(request, body);
    } catch (error) {
      // The server hung up on a connection it had kept: that says nothing about the request.
      if (request.reusedSocket && codeOf(error) === 'ECONNRESET') return undefined;
      const reason = signal.aborted ? `no answer within ${timeoutMs / 1000} s` : reasonOf(error);
      return { status: 0, reason: reason === 'AggregateError' ? (codeOf(error) ?? reason) : reason } as const;
    }
  };

  let unanswered = 0;
  const send = async (request: HttpRequest) => {
    const answer = (await attempt(request)) ?? (await attempt(request)) ?? hungUp;
    unanswered = 'reason' in answer ? unanswered + 1 : 0;
    return answer;
  };
  return {
    send,
    isGone: () => unanswered >= 3,
    close: () => agent.destroy(),
  };
};
