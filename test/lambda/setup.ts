import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { missingTools } from '#test/support/missing-tools.ts';
import { run, temporaryFolder } from '#test/support/processes.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder with the unpacked zip. Null where the runtime client cannot be built. */
    deployed: string | null;
  }
}

// Has a package.json of its own, because the client is compiled when it is installed.
const clientFolder = join(import.meta.dirname, 'runtime-client');
const client = join(clientFolder, 'node_modules', 'aws-lambda-ric');
export const clientFile = join(client, 'index.mjs');
const isBuilt = () => existsSync(join(client, 'rapid-client.node'));

/** Builds the runtime client, once. Returns the reason where this is impossible. */
const buildClient = (): string | undefined => {
  if (process.platform !== 'linux') return "AWS's runtime client runs on Linux only.";
  const missing = missingTools(['cmake', 'g++', 'make', 'python3', 'tar', 'xz']);
  const install = '`apt-get install build-essential cmake python3 xz-utils` on Debian';
  if (missing.length > 0) return `AWS's runtime client needs ${missing.join(', ')}: ${install}.`;
  if (isBuilt()) return undefined;
  process.stdout.write("Building AWS's runtime client. This takes minutes, and is done once.\n");
  const { stderr } = spawnSync('npm', ['ci', '--prefix', clientFolder], { encoding: 'utf8' });
  return isBuilt() ? undefined : `AWS's runtime client could not be built: ${stderr.trim()}`;
};

/** Packages the service as a deployment does, and unpacks the zip. */
export default async (project: TestProject) => {
  const obstacle = buildClient();
  if (obstacle !== undefined) {
    if (process.env['REQUIRE_RUNTIME_CLIENT']) throw new Error(obstacle);
    process.stdout.write(`Skipped. ${obstacle}\n`);
    return void project.provide('deployed', null);
  }
  const { path, remove } = temporaryFolder();
  const [packaged, folder] = [join(path, 'package'), join(path, 'task')];
  const command = ['node_modules/serverless/bin/serverless.js', 'package', '--package', packaged];
  const { code, stdout, stderr } = await run(command);
  if (code !== 0) throw new Error(`serverless package ended with ${code}: ${stdout}${stderr}`);
  mkdirSync(folder);
  // cmake keeps file modes, and the runtime client needs it anyway.
  execFileSync('cmake', ['-E', 'tar', 'xf', join(packaged, 'space-files.zip')], { cwd: folder });
  project.provide('deployed', folder);
  return remove;
};
