import { bareEnvironment, run } from '#test/support/processes.ts';
import type { Alteration } from '../../conformance/support/altering-proxy.ts';
import { startAlteringProxy } from '../../conformance/support/altering-proxy.ts';

const fileId = '3f2b8c1e-6a4d-4c57-9e0f-1b7a2d9c5e80';
const env = bareEnvironment({ SMOKE_API_KEY: 'demo-editor-key' });
/** The smoke test of a service with the demo data. */
export const smoke = async (url: string, ...more: string[]) => {
  const ids = ['--tenant', 'acme', '--user', 'grace', '--space', 'handbook', '--file', fileId];
  const args = ['test/smoke/run.ts', '--url', url, ...ids, '--document-kind', 'guide', ...more];
  const { stdout, ...rest } = await run(['--import', './tools/node-version.mjs', ...args], env);
  return { ...rest, stdout: stdout.replace(/\d+\.\d s/, 'N s') };
};

/** The smoke test of a service with one fault, and the names of what failed. */
export const smokeAltered = async (url: string, alteration: Alteration, ...more: string[]) => {
  const proxy = await startAlteringProxy(url, alteration);
  const outcome = await smoke(proxy.url, ...more);
  await proxy.close();
  const failing = [...outcome.stdout.matchAll(/^FAIL {2}(.*)$/gm)].map(([, name]) => name);
  return { ...outcome, failing };
};
