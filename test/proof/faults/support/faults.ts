import type { ServerResponse } from 'node:http';
import { anError, answer, json, page, text } from './engine-replies.ts';
import type { Reply } from './forward.ts';

/** What a fault can do to the call it was given. */
export type Fate = {
  readonly response: ServerResponse;
  /** Delivers the call to the engine now. */
  readonly deliver: () => Promise<Reply>;
  /** Runs later, whether or not anybody still waits; the proxy knows when all of it is over. */
  readonly later: (ms: number, action: () => Promise<unknown>) => Promise<void>;
  /** Settles when another write has been delivered, or after so many milliseconds. */
  readonly anotherPassed: (ms: number) => Promise<void>;
  /** The engine's last reply to a call of the same kind for another file. */
  readonly foreign: Reply | undefined;
  /** Whether the write was sent with If-Match. */
  readonly isConditional: boolean;
  /** A number of the fault's own, from 0 up to 1. */
  readonly part: number;
};
export type Fault = (fate: Fate) => unknown;

const hang = () => undefined;
const half = ({ body }: Reply) => body.subarray(0, Math.ceil(body.length / 2));

const instead =
  (reply: Reply): Fault =>
  ({ response }) =>
    answer(response, reply);
const appliedBut =
  (then: (fate: Fate, reply: Reply) => unknown): Fault =>
  async (fate) =>
    then(fate, await fate.deliver());
const appliedButAnswered = (reply: Reply): Fault => appliedBut(({ response }) => answer(response, reply));

const trickle = async ({ response, part, later }: Fate, { status, body }: Reply) => {
  response.writeHead(status, { ...json, 'content-length': body.length });
  const size = Math.ceil(body.length / 8);
  for (let start = 0; start < body.length; start += size)
    await later(150 * part, async () => response.write(body.subarray(start, start + size)));
  response.end();
};

/** Every way in which a call goes wrong. A read can be given each but those of `writeFaults`. */
export const readFaults: Readonly<Record<string, Fault>> = {
  'reset before': ({ response }) => response.destroy(),
  'reset after': appliedBut(({ response }) => response.destroy()),
  'hang before': hang,
  'hang after': appliedBut(hang),
  'slow, in time': appliedBut((fate, reply) =>
    fate.later(20 + 400 * fate.part, async () => answer(fate.response, reply)),
  ),
  'slow, too late': appliedBut((fate, reply) => fate.later(750, async () => answer(fate.response, reply))),
  trickle: appliedBut(trickle),
  'throughput exceeded': instead(anError('ProvisionedThroughputExceededException')),
  throttled: instead(anError('ThrottlingException')),
  'request limit': instead(anError('RequestLimitExceeded')),
  '500 before': instead(anError('InternalServerError', 500)),
  '502 before': instead(page(502)),
  '503 before': instead(anError('ServiceUnavailable', 503)),
  '504 before': instead(page(504)),
  '500 after': appliedButAnswered(anError('InternalServerError', 500)),
  '502 after': appliedButAnswered(page(502)),
  '503 after': appliedButAnswered(anError('ServiceUnavailable', 503)),
  '504 after': appliedButAnswered(page(504)),
  'cut, length wrong': appliedBut(({ response }, reply) => {
    response.writeHead(reply.status, { ...json, 'content-length': reply.body.length });
    response.write(half(reply), () => response.destroy());
  }),
  'cut, length right': appliedBut(({ response }, reply) =>
    answer(response, { status: reply.status, body: half(reply) }),
  ),
  'empty body': appliedButAnswered(text('')),
  'empty object': appliedButAnswered(text('{}')),
  'foreign JSON': appliedButAnswered(text('{"hello":["world"]}')),
  'HTML body': appliedButAnswered(page(200)),
  "another file's reply": appliedBut(({ response, foreign }, reply) => answer(response, foreign ?? reply)),
};

const writeFaults: Readonly<Record<string, Fault>> = {
  'late, after a reset': ({ response, deliver, later, part }) => {
    response.destroy();
    return later(20 + 480 * part, deliver);
  },
  'late, after a hang': ({ deliver, later, part }) => later(600 + 500 * part, deliver),
  'twice at once': async ({ response, deliver }) => {
    const [one, other] = await Promise.all([deliver(), deliver()]);
    answer(response, one.status === 200 ? one : other);
  },
  // With If-Match and another writer in between, the second reply alone would be a lie that nobody could detect.
  'twice in turn': async ({ response, deliver, isConditional }) => {
    const [first, second] = [await deliver(), await deliver()];
    answer(response, isConditional ? first : second);
  },
  'twice, once late': async ({ response, deliver, later, part }) => {
    answer(response, await deliver());
    await later(20 + 480 * part, deliver);
  },
  'overtaken by another write': async ({ response, deliver, anotherPassed }) => {
    await anotherPassed(250);
    answer(response, await deliver());
  },
  'transaction conflict': instead(anError('TransactionConflictException')),
  'replicated write conflict': instead(anError('ReplicatedWriteConflictException')),
};
export const faults: Readonly<Record<string, Fault>> = { ...readFaults, ...writeFaults };
