import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { bareEnvironment, copyProject, run, temporaryFolder } from '#test/support/processes.ts';
import { projectRoot } from '#tools/project.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder with the unpacked zip. */
    deployed: string;
  }
}

/** AWS's runtime client is compiled when it is installed, so it is no package of this project. */
const clientVersion = '4.0.2';
const clientFolder = join(projectRoot, 'node_modules', '.cache', `aws-lambda-ric-${clientVersion}`);
const client = join(clientFolder, 'node_modules', 'aws-lambda-ric');
export const clientFile = join(client, 'index.mjs');

/** Builds AWS's runtime client, once. */
const buildClient = () => {
  const built = join(client, 'rapid-client.node');
  if (existsSync(built)) return;
  process.stdout.write("Building AWS's runtime client. This takes minutes, and is done once.\n");
  // Elsewhere, because its libraries do not build in a folder whose path has a space.
  const { path, remove } = temporaryFolder();
  try {
    const npm = (...args: string[]) => execFileSync('npm', ['--prefix', path, ...args], { stdio: 'inherit' });
    npm('install', '--ignore-scripts', `aws-lambda-ric@${clientVersion}`);
    // It must build, and nothing else that was installed with it.
    npm('rebuild', '--ignore-scripts=false', 'aws-lambda-ric');
    cpSync(path, clientFolder, { recursive: true, verbatimSymlinks: true });
  } finally {
    remove();
  }
  if (!existsSync(built))
    throw new Error(
      "AWS's runtime client could not be built. It needs Linux and, on Debian, " +
        '`apt-get install build-essential cmake python3 xz-utils`.',
    );
};

/** Packages the service as a deployment does, in a copy, because that replaces .serverless/. Unpacks the zip. */
export default async (project: TestProject) => {
  buildClient();
  const { path, remove } = temporaryFolder();
  const [copy, folder] = [join(path, 'copy'), join(path, 'task')];
  copyProject(copy);
  const command = [join(projectRoot, 'node_modules/serverless/bin/serverless.js'), 'package'];
  const { code, stdout, stderr } = await run(command, bareEnvironment(), copy);
  if (code !== 0) throw new Error(`serverless package ended with ${code}: ${stdout}${stderr}`);
  mkdirSync(folder);
  // cmake keeps file modes, and the runtime client needs it anyway.
  execFileSync('cmake', ['-E', 'tar', 'xf', join(copy, '.serverless', 'space-files.zip')], { cwd: folder });
  project.provide('deployed', folder);
  return remove;
};
