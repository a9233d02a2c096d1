import { expect, test } from 'vitest';
import { type Turn, turn } from './support/faulty-front.ts';
import { failed, useFaultyService } from './support/faulty-service.ts';

const { update } = useFaultyService('client-signal');

const ended = {
  code: 'aborted',
  status: undefined,
  message: 'The signal ended it',
  retryable: false,
};

test('the signal ends a request that hangs', async () => {
  const caller = new AbortController();
  const hang: Turn = () => caller.abort('enough');
  expect(await update([hang], { signal: caller.signal })).toStrictEqual({
    result: failed({ ...ended, mayBeApplied: true, cause: 'enough' }),
    waits: [],
    attempts: 1,
  });
});

test('a signal that has come before sends nothing', async () => {
  expect(await update([], { signal: AbortSignal.abort('early') })).toStrictEqual({
    result: failed({ ...ended, mayBeApplied: false, cause: 'early' }),
    waits: [],
    attempts: 0,
  });
});

test('the signal ends a wait', async () => {
  const caller = new AbortController();
  const sleep = async () => caller.abort('enough');
  expect(await update([turn.answer(503, '')], { signal: caller.signal }, { sleep })).toStrictEqual({
    result: failed({ ...ended, mayBeApplied: true, cause: 'enough' }),
    waits: [],
    attempts: 1,
  });
});
