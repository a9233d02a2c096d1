import { expect, test } from 'vitest';
import { anEvent } from '#test/support/event.ts';
import { laneEvent, openLanes, scale, startFunction } from './harness.ts';

/** Good and bad requests; a prime number of them, so that each meets every position. */
const events = [
  laneEvent(0),
  laneEvent(1, { body: '{"summary":null,"documentKind":"memo"}' }),
  laneEvent(2, { body: JSON.stringify({ summary: 's'.repeat(5_000) }) }),
  laneEvent(0, { headers: { 'if-match': '"5"' } }),
  laneEvent(1, { headers: { 'x-api-key': 'unknown' } }),
  laneEvent(2, { headers: { 'content-type': 'text/plain' } }),
  laneEvent(0, { body: '{"summary":' }),
  laneEvent(1, { body: '{"language":"fr","unknown":1}' }),
  laneEvent(2, { spaceId: 'lane-2-private' }),
  laneEvent(0, { fileId: 'unknown' }),
  anEvent({ headers: { 'x-user-id': undefined } }),
];
const AT_ONCE = 8;
const STEPS = 8;
const REQUESTS_PER_STEP = 165 * scale;
/** The first steps are a warm-up: caches fill, code is compiled. */
const WARM_UP_STEPS = 3;

/** By how much the line of least squares through the samples rises from the first to the last. */
const growthOf = (samples: readonly number[]): number => {
  const middle = (samples.length - 1) / 2;
  const covariance = samples.reduce((sum, sample, n) => sum + (n - middle) * sample, 0);
  const variance = samples.reduce((sum, _, n) => sum + (n - middle) ** 2, 0);
  return (covariance / variance) * (samples.length - 1);
};

test('the measure of growth finds a leak and overlooks noise', () => {
  expect(growthOf([10, 20, 30, 40])).toBeCloseTo(30);
  expect(Math.abs(growthOf([10, 12, 9, 12, 10]))).toBeCloseTo(0);
});

test(`${STEPS * REQUESTS_PER_STEP} requests in one process leave no memory, sockets or timers behind`, async () => {
  // Without the flag, V8 drops code that is unused for a while, which would hide what else grows.
  const instance = await startFunction(await openLanes(3), undefined, ['--expose-gc', '--no-flush-bytecode']);
  const idle = await instance.inspect();
  const heaps: number[] = [];
  let sent = 0;
  const sendAll = async (last: number) => {
    while (sent < last) {
      const { statusCode } = await instance.send(events[sent++ % events.length]);
      expect(statusCode).toBeLessThan(500);
    }
  };
  for (let step = 1; step <= STEPS; step += 1) {
    await Promise.all(Array.from({ length: AT_ONCE }, () => sendAll(step * REQUESTS_PER_STEP)));
    heaps.push((await instance.inspect()).heap ?? 0);
  }
  expect(growthOf(heaps.slice(WARM_UP_STEPS))).toBeLessThan(200_000);
  const { resources = [] } = await instance.inspect();
  expect(resources.filter((resource) => resource === 'TCPSocketWrap').length).toBeLessThanOrEqual(AT_ONCE);
  expect(resources.filter((resource) => resource !== 'TCPSocketWrap')).toEqual(
    idle.resources?.filter((resource) => resource !== 'TCPSocketWrap'),
  );
  expect(await instance.lines(sent)).toHaveLength(sent);
  expect(instance.printed().stderr).toBe('');
});
