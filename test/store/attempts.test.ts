import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { backOff, backOffMs, faultWaits, refusalWaits, untilAnswered } from '#lib/store/retry.ts';
import { MalformedResponseError } from '#lib/store/retry.ts';
import { aCall } from '#test/support/call.ts';

describe('the wait between attempts', () => {
  test('doubles up to its cap', () => {
    const waits = [0, 1, 2, 5, 6, 40].map((failures) => backOffMs(faultWaits, failures, () => 1));
    expect(waits).toEqual([25, 50, 100, 800, 1000, 1000]);
    expect([0, 3, 6].map((refusals) => backOffMs(refusalWaits, refusals, () => 1))).toEqual([1, 8, 50]);
  });

  test('is a random part of that', () => {
    expect(backOffMs(faultWaits, 2, () => 0.5)).toBe(50);
  });

  test('ends at once when the deadline passes', async () => {
    await backOff(60_000, aCall('request-1', 1));
    const warnings: Error[] = [];
    const warn = (warning: Error) => void warnings.push(warning);
    process.on('warning', warn);
    await backOff(60_000, aCall('request-1', -1000));
    process.off('warning', warn);
    expect(warnings).toEqual([]);
  });
});

describe('attempts', () => {
  const garbled = new MalformedResponseError('half a reply');
  const options = (ms?: number) => ({ call: aCall('request-1', ms), random: () => 0 });

  test('are made until one is answered', async () => {
    let attempts = 0;
    const { call, random } = options();
    const attempt = async () => {
      attempts += 1;
      if (attempts < 4) throw garbled;
      return 'answer';
    };
    expect(await untilAnswered(attempt, { call, random })).toBe('answer');
    expect(call.tally).toEqual({ retries: 3, unknown: 3, refusals: 0 });
  });

  test('end with the deadline, which tells what the last one died of', async () => {
    const { call, random } = options(20);
    const attempt = async (signal: AbortSignal) => {
      await once(signal, 'abort');
      throw garbled;
    };
    await expect(untilAnswered(attempt, { call, random })).rejects.toMatchObject({
      code: 'unavailable',
      details: { reason: 'deadline passed', cause: { name: 'MalformedResponseError', message: 'half a reply' } },
    });
    expect(call.tally).toEqual({ retries: 0, unknown: 1, refusals: 0 });
  });

  test.each([new Error('AccessDenied'), 'a string'])('are not made again after %s', async (thrown) => {
    const attempt = async () => {
      throw thrown;
    };
    await expect(untilAnswered(attempt, options())).rejects.toBe(thrown);
  });
});
