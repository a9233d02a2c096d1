import { expect } from 'vitest';
import { replayCommand, seed } from '#test/proof/support/run.ts';

const MAX_CPU_MS = 50;

/** No request may keep a processor longer than this. */
export const expectQuick = (ms: number, generator: string, turn: number, file: string): void => {
  if (ms >= MAX_CPU_MS)
    expect.unreachable(
      `generator "${generator}", turn ${turn}, seed ${seed}: ${ms.toFixed(1)} ms of CPU; ${replayCommand(file)}`,
    );
};
