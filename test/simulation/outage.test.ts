import { expect, test } from 'vitest';
import { type Fault, meet, type Network } from '#test/support/message-faults.ts';
import { type Exchange, service } from '#test/support/service.ts';
import { createTestSystem } from '#test/support/system.ts';

/** One instance, on a clock of its own. */
const openInstance = () => {
  let calls = 0;
  /** What happens to the n-th call from now on. */
  let faultOfCall: (call: number) => Fault | undefined = () => undefined;
  const network: Network = (call) => meet(faultOfCall(calls++), call);
  const { send, system } = service({ system: createTestSystem({ random: () => 0.5 }) });

  return {
    /** Starts a request every so many milliseconds. */
    send: async (count: number, everyMs: number, fault: typeof faultOfCall) => {
      calls = 0;
      faultOfCall = fault;
      const sent: Promise<Exchange>[] = [];
      for (let index = 0; index < count; index += 1)
        system.startTimer(index * everyMs, () => void sent.push(send(undefined, { through: network })));
      await system.advance(count * everyMs);
      const lines = (await Promise.all(sent)).map(({ line }) => line);
      expect(lines.filter(({ ms }) => Number(ms) > 5_000)).toEqual([]);
      return { calls, statuses: [...new Set(lines.map(({ statusCode }) => statusCode))].toSorted() };
    },
  };
};
test.each<Fault>(['500', 'lost', 'throttled'])(
  'an outage of a minute in which every call is "%s" costs few retries, and ends at once',
  async (fault) => {
    const instance = openInstance();
    const outage = await instance.send(1200, 50, () => fault);
    expect(outage.statuses).toEqual([503]);
    expect(outage.calls).toBe(1300);
    expect(await instance.send(20, 50, () => undefined)).toEqual({ statuses: [200], calls: 40 });
  },
);

test('the function retries a single error, before an outage and soon after one', async () => {
  const instance = openInstance();
  const once = (call: number) => (call === 0 ? '500' : undefined);
  expect(await instance.send(1, 0, once)).toEqual({ statuses: [200], calls: 3 });
  await instance.send(200, 50, () => '500');
  expect(await instance.send(1, 0, once)).toEqual({ statuses: [503], calls: 1 });
  // Each request gives back a fifth of a token for each of its two calls.
  await instance.send(1, 0, () => undefined);
  expect(await instance.send(1, 0, once)).toEqual({ statuses: [503], calls: 1 });
  await instance.send(1, 0, () => undefined);
  expect(await instance.send(1, 0, once)).toEqual({ statuses: [200], calls: 3 });
});
