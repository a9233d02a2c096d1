import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll } from 'vitest';
import { spawnBound } from '#tools/dev-server/engine.ts';
import { projectRoot } from '#tools/project.ts';
import { withoutUserAws } from '#tools/tables/environment.ts';

/** A new folder. Call `remove` after the test. */
export const temporaryFolder = () => {
  const path = mkdtempSync(join(tmpdir(), 'space-files-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
};

/** Copies the sources of the project, so that a test may change or delete them. */
export const copyProject = (folder: string): void => {
  const isSource = (path: string) => !/^(node_modules|dist|coverage|\..+)$/.test(basename(path));
  cpSync(projectRoot, folder, { recursive: true, filter: (path) => path === projectRoot || isSource(path) });
  symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'));
};

/** The environment of a machine on which nothing is configured. */
export const bareEnvironment = (more: Record<string, string> = {}): NodeJS.ProcessEnv => {
  const configured = /^(npm_|.*_TABLE$|VITEST|NODE_(?!COMPILE_CACHE)|FORCE_COLOR)/;
  const own = Object.entries(process.env).filter(([name]) => !configured.test(name));
  // npm reports a new version of itself on stderr, now and then.
  return { ...Object.fromEntries(own), ...withoutUserAws(), npm_config_update_notifier: 'false', ...more };
};

type Options = { readonly env: NodeJS.ProcessEnv; readonly cwd: string; readonly input?: string };
/** Runs a program, and waits until it ends. */
export const execute = async (program: string, args: string[], { env, cwd, input = '' }: Options) => {
  const { child } = spawnBound(program, args, { cwd, env });
  const closed = once(child, 'close');
  child.stdin.on('error', () => undefined).end(input);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code]: (number | null)[] = await closed;
  return { code, stdout, stderr };
};
/** Runs a script with Node, and waits until it ends. */
export const run = (args: string[], env = bareEnvironment(), cwd = projectRoot, input = '') =>
  execute(process.execPath, args, { env, cwd, input });

/**
 * `npm start` on a free port, once it is ready.
 *
 * @throws if it ends before, with what it has printed
 */
export const startProject = async (args: string[], env: NodeJS.ProcessEnv, cwd = projectRoot) => {
  const script = ['--import', './tools/node-version.mjs', 'tools/dev-server/start.ts', '--port', '0'];
  const { child } = spawnBound(process.execPath, [...script, ...args], { cwd, env });
  const closed = once(child, 'close');
  let [printed, stderr] = ['', ''];
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const ready = new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk) => {
      printed += chunk;
      if (/Press Ctrl-C to stop it\.\n\n$/.test(printed)) resolve();
    });
  });
  const endedEarly = closed.then(([code]) => {
    throw new Error(`npm start ended with ${code}: ${printed}${stderr}`);
  });
  await Promise.race([ready, endedEarly]);
  const [, url = '', endpoint = ''] = /ready at (http:\S+) \(DynamoDB at (\S+)\)/.exec(printed) ?? [];
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal);
    const [code]: (number | null)[] = await closed;
    return { code, stderr };
  };
  return { url, endpoint, printed: () => printed, stderr: () => stderr, stop };
};

/** One `npm start` for the tests of a file. `path` is a folder for them; the rest exists while a test runs. */
export const runningProject = () => {
  const folder = temporaryFolder();
  const env = bareEnvironment({ SPACE_FILES_STATE_DIR: folder.path });
  let project: Awaited<ReturnType<typeof startProject>>;
  beforeAll(async () => {
    project = await startProject([], env);
  });
  afterAll(async () => {
    await project.stop();
    folder.remove();
  });
  return {
    env,
    path: folder.path,
    printed: () => project.printed(),
    get url() {
      return project.url;
    },
    get endpoint() {
      return project.endpoint;
    },
  };
};

/** The SDK's own settings for an engine or a proxy in front of one. */
export const settingsFor = (endpoint: string): Readonly<Record<string, string>> => ({
  AWS_ENDPOINT_URL_DYNAMODB: endpoint,
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  AWS_REGION: 'us-east-1',
});
