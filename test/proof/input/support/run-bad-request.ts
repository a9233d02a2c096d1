import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { expect } from 'vitest';
import { updateFile } from '#handlers/update-file.ts';
import type { Config } from '#lib/runtime/deps.ts';
import { createHandler } from '#lib/http/create-handler.ts';
import { createStore } from '#lib/runtime/deps.ts';
import { createRandom } from '#test/proof/support/random.ts';
import { replayCommand, seed } from '#test/proof/support/run.ts';
import { aContext } from '#test/support/context.ts';
import { expectContract } from '#test/support/contract.ts';
import { NOW } from '#test/support/given.ts';
import { answer, type Format, type Generator } from './generator.ts';
import { toEvent } from './to-event.ts';

type Counts = { reads: number; writes: number; applied: number };

/** The refusals that only the files table can give. */
const fromTheTable: readonly string[] = [answer.noFile, answer.ifMatch, answer.changed, answer.itemTooLarge];
/** What answers sooner cannot have used more. What does not is tried again: the least of three is its own CPU time. */
const SUSPICIOUS_MS = 10;

/** Sends bad requests through the real handler and holds each answer against what its generator knows. */
export const createBadRequestRunner = (
  { client, counts, config }: { client: DynamoDBDocumentClient; counts: Counts; config: Config },
  file: string,
) => {
  const lines: string[] = [];
  const store = createStore({ client, config, now: () => NOW, random: () => 0 });
  const deps = {
    now: () => NOW,
    newId: () => 'request-1',
    log: (line: string) => void lines.push(line),
    store: () => store,
  };
  const handler = createHandler(updateFile(deps), deps);
  const context = aContext(10_000);
  type Event = Parameters<typeof handler>[0];
  const send = (event: Event) => handler(event, context);

  const timed = async (event: Event) => {
    const started = performance.now();
    const response = await send(event);
    return { response, ms: performance.now() - started };
  };
  const cpuOf = async (event: Event) => {
    const before = process.cpuUsage();
    await send(event);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };

  /** @param turn makes the request: the same turn of the same seed is the same request */
  const run = async (generator: Generator, turn: number) => {
    const random = createRandom(seed + Math.imul(turn, 0x9e3779b1));
    const format: Format = random() < 0.5 ? '1.0' : '2.0';
    const bad = generator.make({ random, format });
    const event = toEvent(bad, { random, format });
    Object.assign(counts, { reads: 0, writes: 0, applied: 0 });
    lines.length = 0;

    const fail = (problem: string): never =>
      expect.unreachable(
        `generator "${generator.name}", format ${format}, turn ${turn}, seed ${seed}: ${problem}; ` +
          `expected ${bad.expected.join(' or ')}; event ${JSON.stringify(event)?.slice(0, 600)}; ${replayCommand(file)}`,
      );
    const first = await timed(event).catch((error: unknown) => fail(`it threw ${String(error)}`));
    const { statusCode, body } = first.response;
    const got = `${statusCode} ${JSON.parse(body).message}`;
    try {
      expectContract(first.response);
    } catch {
      fail(`outside the contract: ${statusCode} ${body.slice(0, 600)}`);
    }
    if (!bad.expected.includes(got)) fail(`got ${got}`);
    if (counts.applied > 0) fail('a write was applied');
    if (counts.writes > 0 && !fromTheTable.includes(got)) fail('a write was sent');
    if (counts.reads > 1 || counts.writes > 1) fail(`${counts.reads} reads and ${counts.writes} writes`);
    if (lines.length !== 1 || typeof JSON.parse(lines[0] ?? '') !== 'object') fail('not one line in the log');

    let { ms } = first;
    for (let again = 0; again < 3 && ms > SUSPICIOUS_MS; again += 1) ms = Math.min(ms, await cpuOf(event));
    return { ms, status: statusCode };
  };
  return { run, send };
};
