import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

const told = async (child: ChildProcess): Promise<unknown> => {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the process ended with ${code}`);
  });
  const [message] = await Promise.race([once(child, 'message'), ended]);
  return message;
};

/** A process that has loaded a handler file; `send` gives it an event and resolves to its answer. */
export const startLambda = async (file: string, env: Readonly<Record<string, string>>) => {
  const child = fork(new URL('lambda.mjs', import.meta.url), [file], {
    env: { PATH: process.env['PATH'], HOME: '/nonexistent', ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await told(child);
  return {
    send: (event: unknown) => {
      const answer = told(child);
      child.send(JSON.parse(JSON.stringify(event)));
      return answer;
    },
    stop: async () => {
      child.kill();
      await once(child, 'exit');
    },
  };
};
