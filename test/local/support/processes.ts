import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '#local/project.ts';

/** What a command printed and how it ended. */
export type Outcome = { code: number | null; stdout: string; stderr: string };

/** A folder of the test's own; `remove` it afterwards. */
export const temporaryFolder = () => {
  const path = mkdtempSync(join(tmpdir(), 'space-files-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
};

/** The environment of a machine on which nothing is configured. */
export const bareEnvironment = (more: Record<string, string> = {}): NodeJS.ProcessEnv => {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(AWS_|npm_|.*_TABLE$|VITEST|NODE_)/.test(name),
  );
  return { ...Object.fromEntries(own), ...more };
};

const spawnNode = (args: string[], env: NodeJS.ProcessEnv, cwd = projectRoot): ChildProcess =>
  spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });

/** Runs one of our scripts, or any other that Node can run, to its end. */
export const run = async (args: string[], env = bareEnvironment(), cwd = projectRoot): Promise<Outcome> => {
  const child = spawnNode(args, env, cwd);
  const outcome: Outcome = { code: null, stdout: '', stderr: '' };
  child.stdout?.on('data', (text) => {
    outcome.stdout += text;
  });
  child.stderr?.on('data', (text) => {
    outcome.stderr += text;
  });
  [outcome.code] = await once(child, 'close');
  return outcome;
};

/** A running `npm start` on a free port, once it has said that it is ready. */
export const startProject = async (args: string[] = [], env = bareEnvironment()) => {
  const child = spawnNode(
    ['--import', './local/node-version.mjs', 'local/start.ts', '--port', '0', ...args],
    env,
  );
  let printed = '';
  let complaints = '';
  child.stderr?.on('data', (text) => {
    complaints += text;
  });
  const ended = once(child, 'close');
  await Promise.race([
    new Promise<void>((resolve) => {
      child.stdout?.on('data', (text) => {
        printed += text;
        if (/is ready at [\s\S]*\n\n$/.test(printed)) resolve();
      });
    }),
    ended,
  ]);
  const [, url = ''] = /ready at (http:\S+)/.exec(printed) ?? [];
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal);
    const [code] = await ended;
    return { code, complaints };
  };
  return { child, url, printed: () => printed, stop };
};
