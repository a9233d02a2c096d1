import { spawnSync } from 'node:child_process';
import { projectRoot } from '#local/project.ts';
import { run } from './processes.ts';

/** `npm run api-key` in an environment; `identify` is given its key through stdin. */
export const apiKeyCommand = (env: NodeJS.ProcessEnv) => {
  const apiKey = (...args: string[]) => run(['local/api-key.ts', ...args], env);
  const identify = (input: string) => {
    const args = ['local/api-key.ts', 'identify'];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: projectRoot,
      env,
      input,
      encoding: 'utf8',
    });
    return { code: status, stdout, stderr };
  };
  return { apiKey, identify };
};
