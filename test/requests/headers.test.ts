import { expect, test } from 'vitest';
import { updateFile } from '#handlers/update-file.ts';
import { createHandler } from '#lib/http/create-handler.ts';
import type { ApiRequest, RequestHeaders } from '#lib/http/event.ts';
import { createStore } from '#lib/store/update-file.ts';
import { aContext } from '#test/support/event.ts';
import { headerParameters } from '#test/support/openapi.ts';
import { demoTables, toClient } from '#test/support/simulated-tables.ts';
import { createTestSystem } from '#test/support/system.ts';
import { toEvent } from './as-event.ts';
import { casesFor } from './cases/all.ts';
import { completeRequest } from './cases/request.ts';

/** Notes what is read of the headers: the name of each one, or how all of them are read. */
const watch = (headers: RequestHeaders, read: Set<string>): RequestHeaders =>
  new Proxy(headers, {
    get: (target, method) => {
      if (method !== 'get' && method !== 'has') read.add(`all, by ${String(method)}`);
      const value: unknown = Reflect.get(target, method);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        if (method === 'get' || method === 'has') read.add(String(args[0]));
        return Reflect.apply(value, target, args);
      };
    },
  });

const tables = demoTables();
const system = createTestSystem();
const store = createStore({ ...tables.config, client: toClient(tables.send) }, system);

test('the code reads the headers that openapi.yaml describes, and no other', async () => {
  const read = new Set<string>();
  // The log line is made of the same request.
  const watched = (request: ApiRequest) =>
    updateFile(Object.assign(request, { headers: watch(request.headers, read) }), {
      ...system,
      store: () => store,
    });
  const handler = createHandler('updated', watched, system);
  const statuses = new Set<number>();
  for (const format of ['1.0', '2.0'] as const)
    for (const oneCase of casesFor(format))
      for (const [sent] of oneCase.steps) {
        const event = toEvent(format, sent, completeRequest(oneCase, sent));
        const { statusCode } = await handler(event, aContext());
        statuses.add(statusCode);
      }
  // In OpenAPI, these two belong to the request body.
  expect(read).toEqual(new Set([...headerParameters, 'content-type', 'content-encoding']));
  expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 401, 404, 412, 415]));
});
