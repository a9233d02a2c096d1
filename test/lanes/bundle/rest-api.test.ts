import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, vi } from 'vitest';
import { registerCases } from '#test/lanes/smoke/suite.ts';
import { deploymentCases } from '#test/requests/cases/all.ts';
import { aContext } from '#test/support/event.ts';
import { runningProject, settingsFor, temporaryFolder } from '#test/support/processes.ts';
import { buildBundle } from '#tools/bundle/bundle.ts';
import { loadFunction } from '#tools/lambda.ts';
import { readTableNames } from '#tools/tables/environment.ts';
import { startRestApi } from './rest-api.ts';

/* The smoke test, through an emulation of a REST API. `npm start`, of which it uses the tables, emulates an HTTP API. */

const project = runningProject();
const folder = temporaryFolder();
const file = join(folder.path, 'update-file.cjs');
let api: Awaited<ReturnType<typeof startRestApi>>;
beforeAll(async () => {
  await buildBundle(file);
  const log = new Writable({ write: (_, __, done) => done() });
  const handler = loadFunction(file, log);
  api = await startRestApi((event) => handler(event, aContext()));
});
afterAll(() => {
  api.close();
  folder.remove();
});
beforeEach(() => {
  for (const [name, value] of Object.entries({ ...settingsFor(project.endpoint), ...readTableNames() }))
    vi.stubEnv(name, value);
});

registerCases(deploymentCases, {
  get url() {
    return api.url;
  },
  get endpoint() {
    return project.endpoint;
  },
});
