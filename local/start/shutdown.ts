import { watchNpm } from './npm-gone.ts';

/** What has to be undone before the process ends. */
export type Shutdown = {
  /** Adds a step; the latest runs first. */
  add: (step: () => Promise<void> | void) => void;
  /** Runs every step, once however often it is called. */
  run: () => Promise<void>;
  /** Whether `run` was called. */
  begun: () => boolean;
};

const npmCheckMs = 500;

export const createShutdown = (): Shutdown => {
  const steps: (() => Promise<void> | void)[] = [];
  let running: Promise<void> | undefined;
  const runSteps = async () => {
    for (let step = steps.pop(); step !== undefined; step = steps.pop()) await step();
  };
  const run = () => {
    running ??= runSteps();
    return running;
  };
  return { add: (step) => void steps.push(step), run, begun: () => running !== undefined };
};

/** Shuts down and exits with 0 on Ctrl-C, on SIGTERM, on SIGHUP, and when the npm that started us is gone. */
export const shutDownOnSignals = (shutdown: Shutdown): void => {
  const end = () => {
    if (shutdown.begun()) return;
    shutdown.run().finally(() => process.exit(0));
  };
  // Never removed: npm passes on the Ctrl-C that the terminal has already sent, and a second one would kill.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, end);
  const npmIsGone = watchNpm();
  setInterval(() => npmIsGone() && end(), npmCheckMs).unref();
};
