import { afterEach, expect, inject, test, vi } from 'vitest';
import { replayCommand, report, scale } from '#test/proof/support/run.ts';
import { useEndpoint } from '#test/support/endpoint.ts';
import { answer } from './support/engine-replies.ts';
import type { Fault } from './support/faults.ts';
import type { Reply } from './support/forward.ts';
import { openInstance } from './support/instances.ts';
import { startFaultProxy } from './support/proxy.ts';
import { openWorld } from './support/world.ts';
import { openWriter } from './support/writer.ts';

afterEach(() => void vi.unstubAllEnvs());

const ATTEMPTS = 500 * scale;
const FILES = 10;
/** How the first writer fares: sent again and acknowledged, acknowledged at once, never told. */
const ways = ['sent again', 'copied', 'given up'] as const;

test('no attempt that lands after a newer acknowledged write replaces it', async () => {
  const world = await openWorld('late-duplicates', FILES);
  /** Attempts that lie somewhere on their way, by the value they bring. */
  const held = new Map<string, (() => Promise<Reply>)[]>();
  const proxy = await startFaultProxy(inject('endpoint'), ({ kind, body }) => {
    const [name, way] = /late (\w+ ?\w*) \d+/.exec(body.toString()) ?? [];
    if (kind !== 'write' || name === undefined) return undefined;
    const before = held.get(name);
    const keep = (deliver: () => Promise<Reply>) => held.set(name, [...(before ?? []), deliver]);
    if (before && way !== 'given up') return undefined;
    const copy: Fault = async ({ response, deliver }) => {
      keep(deliver);
      answer(response, await deliver());
    };
    const hold: Fault = ({ response, deliver }) => {
      keep(deliver);
      response.destroy();
    };
    return { name: way ?? '', run: way === 'copied' ? copy : hold, part: 0 };
  });
  useEndpoint(proxy.endpoint);
  const aWriter = () => openWriter({ instance: openInstance(world.config), apiKey: 'key-0' });
  const [first, second] = [aWriter(), aWriter()];

  const figures = { landed: 0, replaced: 0, acknowledged: 0, unknown: 0 };
  const runLane = async (file: (typeof world.files)[number], lane: number) => {
    for (let n = lane; n < ATTEMPTS; n += FILES) {
      const field = n % 2 === 0 ? 'summary' : 'documentKind';
      const value = `late ${ways[n % ways.length]} ${n}`;
      const isGivenUp = value.includes('given up');
      let status = 0;
      // A deadline just long enough for one attempt; where it was too short even for that, once more.
      for (let remainingMs = 550; status === 0 || !held.has(value); remainingMs += 100)
        status = (await first({ ...file, patch: { [field]: value }, ...(isGivenUp && { remainingMs }) }))
          .status;
      const newer = await second({ ...file, patch: { [field]: `newer ${n}` } });
      figures[status === 200 ? 'acknowledged' : 'unknown'] += 1;
      expect(newer.status).toBe(200);

      const replies = await Promise.all((held.get(value) ?? []).map((deliver) => deliver()));
      const { snapshot, version } = await world.getRecord(file);
      figures.landed += replies.length > 0 ? 1 : 0;
      if (snapshot[field] !== `newer ${n}` || version !== newer.version) figures.replaced += 1;
    }
  };
  await Promise.all(world.files.map(runLane));
  await proxy.stop();

  report('faults: late duplicates', figures);
  const replay = replayCommand('test/proof/faults/late-duplicates.proof.ts');
  expect(figures, replay).toMatchObject({ landed: ATTEMPTS, replaced: 0 });
  expect(Math.min(figures.acknowledged, figures.unknown), replay).toBeGreaterThan(0);
});
