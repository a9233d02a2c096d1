/** Milliseconds that never go back, the same in all processes of this machine: what a history is timed by. */
export const clock = (): number => Number(process.hrtime.bigint() / 1000n) / 1000;

const epochOffset = Date.now() - clock();

/** The same as epoch milliseconds: what a writer's version clock reads. */
export const epochClock = (): number => clock() + epochOffset;
