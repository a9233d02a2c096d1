import { expect, test } from 'vitest';
import { turn } from './support/faulty-front.ts';
import { failed, useFaultyService } from './support/faulty-service.ts';

const { update } = useFaultyService('client-unknown');

test('412 after a lost attempt does not blame another: the change may be our own', async () => {
  const changed = { status: 412, message: 'File was changed by another request', etag: '"1790000000000000"' };
  const { result, attempts } = await update([turn.resetAfter], { ifMatch: '"0"' });
  expect({ result, attempts }).toStrictEqual({
    result: failed({
      code: 'outcome-unknown',
      requestId: 'request-2',
      retryable: false,
      mayBeApplied: true,
      ...changed,
    }),
    attempts: 2,
  });
});

test('412 after 429 is another, for that has changed nothing', async () => {
  const { result } = await update([turn.answer(429, '')], { ifMatch: '"1"' });
  expect(result).toMatchObject({ error: { code: 'file-changed', mayBeApplied: false, etag: '"0"' } });
});

test('another refusal after a lost attempt keeps its code, and says that the change may be there', async () => {
  const { result } = await update([turn.resetBefore], { fileId: 'none' });
  expect(result).toMatchObject({ error: { code: 'file-not-found', mayBeApplied: true } });
});
