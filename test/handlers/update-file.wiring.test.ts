import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest';
import { aContext } from '#test/support/context.ts';
import { anEvent } from '#test/support/event.ts';
import { aFile, aFileView, anApiKey, aSpace } from '#test/support/given.ts';
import { openTables, type Tables } from '#test/support/tables.ts';

let tables: Tables;
let printed: string;
beforeEach(async () => {
  tables = await openTables('wiring');
  await Promise.all([tables.putApiKey(anApiKey()), tables.putSpace(aSpace()), tables.putFile(aFile())]);
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', inject('endpoint'));
  vi.stubEnv('AWS_REGION', 'local-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'local');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'local');
  vi.stubEnv('API_KEYS_TABLE', tables.config.apiKeysTable);
  vi.stubEnv('SPACES_TABLE', tables.config.spacesTable);
  vi.stubEnv('FILES_TABLE', tables.config.filesTable);
  printed = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });
  vi.resetModules();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const invoke = async () => {
  const { handler } = await import('#handlers/update-file.ts');
  const event = JSON.parse(JSON.stringify(anEvent()));
  return [await handler(event, aContext(10_000)), await handler(event, aContext(10_000))] as const;
};

test('the exported handler works with what the environment says, and logs to stdout', async () => {
  const started = Date.now();
  const [first, second] = await invoke();
  expect(first).toMatchObject({ statusCode: 200, body: JSON.stringify(aFileView({ summary: 'New.' })) });
  expect(second.statusCode).toBe(200);
  const uuid = expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
  expect(first.headers['x-request-id']).toEqual(uuid);
  expect(first.headers['x-request-id']).not.toBe(second.headers['x-request-id']);
  expect(Number(first.headers['etag']?.slice(1, -1))).toBeGreaterThanOrEqual(started * 1000);
  const lines = printed
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map(({ outcome, requestId }) => ({ outcome, requestId }))).toEqual([
    { outcome: 'updated', requestId: first.headers['x-request-id'] },
    { outcome: 'updated', requestId: second.headers['x-request-id'] },
  ]);
});

test('a stdout that nobody reads ends nothing', async () => {
  await import('#handlers/update-file.ts');
  expect(process.stdout.emit('error', new Error('write EPIPE'))).toBe(true);
});

test('a setting that is missing is an opaque 500 whose log names it', async () => {
  vi.stubEnv('FILES_TABLE', undefined);
  const [response] = await invoke();
  expect(response).toMatchObject({ statusCode: 500, body: '{"message":"Internal Server Error"}' });
  expect(JSON.parse(printed.split('\n')[0] ?? '').reason).toBe('not set: FILES_TABLE');
});

test('primed, it has changed nothing and logged nothing', async () => {
  const before = await tables.everything();
  const { prime } = await import('#handlers/update-file.ts');
  await prime();
  expect(await tables.everything()).toEqual(before);
  expect(printed).toBe('');
});
