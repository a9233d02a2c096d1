import crypto from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { errorResponses } from '#lib/http/responses.ts';
import { buildTestedBundle } from '#test/support/bundle.ts';
import { aContext } from '#test/support/event.ts';
import { NOW } from '#test/support/given.ts';
import { settingsFor, temporaryFolder } from '#test/support/processes.ts';
import { openTables, seed } from '#test/support/tables.ts';
import { projectRoot } from '#tools/project.ts';
import { type Format, runAsEvent } from './as-event.ts';
import { allCases, casesFor } from './cases/all.ts';

/*
 * Each case as an event of a REST API and of an HTTP API, sent to the bundle that is deployed. Stryker changes the
 * source, so its runs send them to the source.
 */
const isMutated = process.env['STRYKER_MUTATOR_WORKER'] !== undefined;
const tables = await openTables('events');
const folder = temporaryFolder();
const file = join(folder.path, 'update-file.cjs');
afterAll(folder.remove);

/** Loads the function once more, as another Lambda instance would. */
const load = () => {
  if (isMutated) return import('#handlers/update-file.ts');
  const require = createRequire(import.meta.url);
  delete require.cache[file];
  return require(file);
};
beforeAll(async () => {
  await Promise.all([seed(tables), isMutated || buildTestedBundle(file)]);
});

let requests = 0;
const lines: string[] = [];
beforeEach(() => {
  for (const [name, value] of Object.entries({ ...settingsFor(inject('endpoint')), ...tables.names }))
    vi.stubEnv(name, value);
  const ids: { randomUUID: () => string } = crypto;
  vi.spyOn(ids, 'randomUUID').mockImplementation(() => `request-${requests}`);
  // The source imports it by name.
  syncBuiltinESMExports();
  vi.spyOn(Date, 'now').mockImplementation(() => NOW + requests);
  vi.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
});
/** Each request is a millisecond later than the one before. */
const draw = () => {
  requests += 1;
  return { requestId: `request-${requests}`, version: (NOW + requests) * 1000 };
};

describe.each<Format>(['1.0', '2.0'])('in format %s', (format) => {
  let loaded: ReturnType<typeof load>;
  const invoke = async (event: unknown, remainingMs: number) => {
    loaded ??= load();
    const { handler } = await loaded;
    lines.length = 0;
    return { response: await handler(event, aContext(remainingMs)), lines: [...lines] };
  };
  test.each(casesFor(format))('$name', async (given) => {
    await runAsEvent({ tables, draw, invoke }, given, format);
  });
});

test('each error code has a case', () => {
  const codes = new Set(allCases.flatMap(({ steps }) => steps.map(([, { code }]) => code)));
  expect(codes).toEqual(new Set([undefined, ...Object.keys(errorResponses)]));
});

test('each event of an update in events/ is a case', () => {
  const names = readdirSync(join(projectRoot, 'events')).map((name) => `events/${name}`);
  const isUpdate = (name: string) => /"PATCH[" ]/.test(readFileSync(join(projectRoot, name), 'utf8'));
  expect(allCases.flatMap(({ name }) => (name.startsWith('events/') ? [name] : [])).toSorted()).toEqual(
    names.filter(isUpdate).toSorted(),
  );
});
