import { expect, test } from 'vitest';
import { anEvent } from '#test/support/event.ts';
import { aBasicFile, apiKeyRecord, aSpace } from '#test/support/fixtures.ts';
import { createSimulatedHandler } from '#test/support/simulated-handler.ts';
import { createTables } from '#test/support/simulated-tables.ts';
import { createTestSystem } from '#test/support/system.ts';
import { faultOf, type MessageFault } from './message-faults.ts';

/** One instance, on a clock of its own. */
const openInstance = () => {
  const tables = createTables();
  tables.put('apiKeys', apiKeyRecord());
  tables.put('spaces', aSpace());
  tables.put('files', aBasicFile());
  let calls = 0;
  /** What happens to the n-th call from now on. */
  let faultOfCall: (call: number) => MessageFault | undefined = () => undefined;
  const system = createTestSystem({ random: () => 0.5 });
  const invoke = createSimulatedHandler(tables, system, async (send) => {
    const fault = faultOfCall(calls++);
    if (!fault) return send();
    const { response } = faultOf(fault);
    if (!response) return new Promise(() => undefined);
    throw response();
  });

  return {
    /** Starts a request every so many milliseconds, and gives the last one the 5 s that a request has. */
    send: async (count: number, everyMs: number, fault: typeof faultOfCall) => {
      calls = 0;
      faultOfCall = fault;
      const statuses: number[] = [];
      const { promise: failure, reject } = Promise.withResolvers<never>();
      const start = () =>
        void invoke(anEvent()).then(({ response }) => statuses.push(response.statusCode), reject);
      for (let index = 0; index < count; index += 1) system.startTimer(index * everyMs, start);
      await Promise.race([failure, system.advance(count * everyMs + 5_000)]);
      expect(statuses, 'each request responds within 5 s').toHaveLength(count);
      return { calls, statuses: [...new Set(statuses)].toSorted() };
    },
  };
};
test.each<MessageFault>(['500', 'lost', 'throttled'])(
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
  // Each of three requests gives back a fifth of a token for each of its two calls.
  await instance.send(3, 50, () => undefined);
  expect(await instance.send(1, 0, once)).toEqual({ statuses: [200], calls: 3 });
});
