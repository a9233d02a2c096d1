import { expect, test } from 'vitest';
import { createHandler } from '#lib/http/create-handler.ts';
import { fileResponse } from '#lib/http/responses.ts';
import { aContext } from '#test/support/context.ts';
import { anEvent } from '#test/support/event.ts';
import { aFileView } from '#test/support/given.ts';
import { anError, aResponse } from '#test/support/service.ts';

const now = () => 1000;
const newId = () => 'request-1';
const answer = async () => fileResponse({ file: JSON.parse(JSON.stringify(aFileView())), version: 7 });
const event = JSON.parse(JSON.stringify(anEvent()));

test('a log that cannot be written does not change the answer', async () => {
  const log = () => {
    throw new Error('disk full');
  };
  const handler = createHandler(answer, { now, newId, log });
  expect(await handler(event, aContext(10_000))).toEqual(aResponse(200, aFileView(), { etag: '"7"' }));
});

test.each([new Error('secret'), 'secret', undefined, null])(
  'whatever is thrown is an opaque 500: %s',
  async (thrown) => {
    const lines: string[] = [];
    const operation = async () => {
      throw thrown;
    };
    const handler = createHandler(operation, { now, newId, log: (line) => lines.push(line) });
    expect(await handler(event, aContext(10_000))).toEqual(anError(500, 'Internal Server Error'));
    const reason = thrown == null ? 'nothing was thrown' : 'unexpected error';
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ outcome: 'internal-error', reason }]);
    expect(lines[0]).not.toContain('secret');
  },
);
