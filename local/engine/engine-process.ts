import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Writable } from 'node:stream';

/** A child process that never outlives this one, however this one ends. `exited` settles once it is gone. */
export type BoundProcess = { child: ChildProcess; exited: Promise<void>; stop: () => Promise<void> };

// The pipe on descriptor 3 breaks when this process is gone, even by SIGKILL, where no exit hook runs.
const killWhenPipeBreaks = '{ read -r _ || kill $$; } <&3 >/dev/null 2>&1 & exec "$@" 3<&-';

/** Starts a program whose life is bound to ours; its stderr is piped, its stdout is dropped. */
export const spawnBound = (program: string, args: string[]): BoundProcess => {
  return process.platform === 'win32' ? spawnHooked(program, args) : spawnPiped(program, args);
};

const spawnPiped = (program: string, args: string[]): BoundProcess => {
  const child = spawn('/bin/sh', ['-c', killWhenPipeBreaks, 'sh', program, ...args], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    // Out of the terminal's group: Ctrl-C is for us, and we stop it after the last request.
    detached: true,
  });
  const pipe = child.stdio[3];
  if (!(pipe instanceof Writable)) throw new Error('no pipe to the child process');
  pipe.on('error', () => undefined);
  const exited = exitOf(child);
  // A whole line tells the shell's watcher that there is nobody left to kill.
  exited.then(() => pipe.end('\n'));
  const stop = async () => {
    if (child.exitCode === null) pipe.destroy();
    await exited;
  };
  return { child, exited, stop };
};

const spawnHooked = (program: string, args: string[]): BoundProcess => {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], windowsHide: true });
  const kill = () => void child.kill();
  process.once('exit', kill);
  const exited = exitOf(child);
  exited.then(() => process.off('exit', kill));
  const stop = async () => {
    kill();
    await exited;
  };
  return { child, exited, stop };
};

const exitOf = async (child: ChildProcess): Promise<void> => {
  // A program that cannot be started emits `error` and may never emit `exit`.
  await once(child, 'exit').catch(() => undefined);
};
