import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createUpdateHandler } from '#handlers/update-file.ts';
import { InternalError } from '#lib/domain/errors.ts';
import { liveSystem, liveTables, readConfig } from '#lib/runtime/live.ts';
import { aContext, anEvent } from '#test/support/event.ts';
import { aFileView, NOW } from '#test/support/fixtures.ts';
import { settingsFor } from '#test/support/processes.ts';
import { aResponse } from '#test/support/responses.ts';
import { demoTables, toClient } from '#test/support/simulated-tables.ts';
import { createTestSystem } from '#test/support/system.ts';

const names = {
  API_KEYS_TABLE: 'Keys',
  SPACES_TABLE: 'Spaces',
  FILES_TABLE: 'Files',
  AWS_REGION: 'eu-west-1',
};

test.each([
  [{}, 'API_KEYS_TABLE, SPACES_TABLE, FILES_TABLE, AWS_REGION'],
  [{ ...names, AWS_REGION: undefined }, 'AWS_REGION'],
  [{ ...names, FILES_TABLE: undefined }, 'FILES_TABLE'],
  [{ ...names, SPACES_TABLE: '' }, 'SPACES_TABLE'],
])('names each missing setting of %j', (env, missing) => {
  expect(() => readConfig(env)).toThrow(new InternalError(`not set: ${missing}`));
});

test('measures a deadline with the clock of the process, whatever the wall clock says', () => {
  vi.spyOn(process, 'uptime').mockReturnValue(12.5);
  vi.spyOn(Date, 'now').mockReturnValue(NOW);
  expect([liveSystem.now(), liveSystem.uptime()]).toEqual([NOW, 12_500]);
});

test('an instance opens its tables and its store once, when they are first needed', async () => {
  for (const [name, value] of Object.entries({ ...settingsFor(''), ...names })) vi.stubEnv(name, value);
  const { client, ...tableNames } = liveTables();
  expect(tableNames).toEqual({ apiKeysTable: 'Keys', spacesTable: 'Spaces', filesTable: 'Files' });
  // Not compared as objects: a client prints 38,000 lines.
  expect(liveTables().client === client).toBe(true);

  const tables = demoTables();
  const opened = vi.fn(() => ({ ...tables.config, client: toClient(tables.send) }));
  const handler = createUpdateHandler(createTestSystem(), opened);
  expect(opened).not.toHaveBeenCalled();
  for (const _ of [1, 2]) await handler(anEvent(), aContext());
  expect(opened).toHaveBeenCalledOnce();
});

test('a timer calls back once after its time, at once if that is negative, and never if it is cancelled', () => {
  vi.useFakeTimers();
  const { startTimer } = liveSystem;
  const called: string[] = [];
  startTimer(-5, () => called.push('negative'));
  startTimer(10, () => called.push('10 ms'));
  startTimer(5, () => called.push('cancelled'))();
  vi.advanceTimersByTime(1);
  expect(called).toEqual(['negative']);
  vi.advanceTimersByTime(8);
  expect(called).toEqual(['negative']);
  vi.advanceTimersByTime(100);
  expect(called).toEqual(['negative', '10 ms']);
});

describe('the exported handler', () => {
  let printed: string[];
  beforeEach(() => {
    const [tables, settings] = [demoTables(), settingsFor('http://127.0.0.1:1')];
    vi.spyOn(DynamoDBDocumentClient.prototype, 'send').mockImplementation(toClient(tables.send).send);
    const names = { API_KEYS_TABLE: 'apiKeys', SPACES_TABLE: 'spaces', FILES_TABLE: 'files' };
    for (const [name, value] of Object.entries({ ...settings, ...names })) vi.stubEnv(name, value);
    printed = [];
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
    vi.resetModules();
  });
  const load = () => import('#handlers/update-file.ts');
  const event = anEvent();

  test('is primed by one read, and by a write that is never sent', async () => {
    const { prime } = await load();
    await prime();
    const calls = vi.mocked(DynamoDBDocumentClient.prototype.send).mock.calls;
    const isAborted = (options: unknown) => Object(options).abortSignal.aborted;
    expect(calls.map(([command, options]) => [command.constructor.name, isAborted(options)])).toEqual([
      ['BatchGetCommand', false],
      ['UpdateCommand', true],
    ]);
  });

  test('uses the settings, the real clock and unique ids, and logs one line to stdout', async () => {
    const { handler } = await load();
    const started = Date.now();
    const [first, second] = [await handler(event, aContext()), await handler(event, aContext())];
    const [id, otherId] = [first, second].map(({ headers }) => headers['x-request-id'] ?? '');
    const [version = 0] = [first].map(({ headers }) => Number(headers['etag']?.slice(1, -1)));
    expect({ ...first, body: JSON.parse(first?.body ?? '') }).toEqual({
      ...aResponse(200, undefined, { etag: `"${version}"` }, id),
      body: aFileView({ summary: 'New.' }),
    });
    expect(version).toBeGreaterThanOrEqual(started * 1000);
    expect(id).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
    expect(otherId).not.toBe(id);
    expect(printed.map((text) => text.endsWith('\n') && JSON.parse(text))).toMatchObject([
      { outcome: 'updated', requestId: id },
      { outcome: 'updated', requestId: otherId },
    ]);
  });

  test('has one client for priming and for all requests of an instance', async () => {
    const created = vi.spyOn(DynamoDBDocumentClient, 'from');
    const { handler, prime } = await load();
    await prime();
    for (const _ of [1, 2]) expect(await handler(event, aContext())).toMatchObject({ statusCode: 200 });
    expect(created).toHaveBeenCalledTimes(1);
  });

  test('has no effect on the process that imports it', async () => {
    const count = () => process.stdout.listenerCount('error');
    const before = count();
    await load();
    expect(count()).toBe(before);
  });

  test('warns of nothing if the time of Lambda is over', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockReturnValue();
    const { handler } = await load();
    expect(await handler(event, aContext(0))).toMatchObject({ statusCode: 503 });
    expect(warn.mock.calls).toEqual([]);
  });

  test('responds with an opaque 500 if a setting is missing, and the log names it', async () => {
    vi.stubEnv('FILES_TABLE', undefined);
    const { handler, prime } = await load();
    await prime();
    expect(printed).toEqual([]);
    const response = await handler(event, aContext());
    expect(response).toMatchObject({ statusCode: 500, body: '{"message":"Internal Server Error"}' });
    expect(JSON.parse(printed.join())).toMatchObject({ reason: 'not set: FILES_TABLE' });
  });
});
