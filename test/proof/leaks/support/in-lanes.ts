import { LANES } from './world.ts';

/** Runs all turns, as many at once as there are lanes and never two in one lane. */
export const inLanes = async (
  turns: number,
  run: (lane: number, turn: number) => Promise<void>,
  lanes = LANES,
): Promise<void> => {
  const one = async (_: unknown, lane: number) => {
    for (let turn = lane; turn < turns; turn += lanes) await run(lane, turn);
  };
  await Promise.all(Array.from({ length: lanes }, one));
};
