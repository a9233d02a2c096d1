import { createRandom, pick } from '#test/proof/support/random.ts';
import type { Patch } from './history.ts';
import { createTurns } from './turns.ts';
import type { Told, Writer } from './writer.ts';

export type FileId = { readonly spaceId: string; readonly fileId: string };
/** What was done to each file, by its file id. */
export type Operations = ReadonlyMap<string, Told[]>;

export type Load = {
  readonly seed: number;
  /** Keeps the values of two loads apart. */
  readonly name?: string;
  /** The patch of every update, in place of unique ones. */
  readonly patch?: Patch;
  /** In all, over all writers. */
  readonly updates: number;
  /** Requests that each writer has under way at a time. */
  readonly atOnce?: number;
  /** Requests that all writers together have under way at a time; the others wait before they begin. */
  readonly limit?: number;
  /** How many of a hundred updates carry If-Match. */
  readonly conditional?: number;
  /** What Lambda may have left when a request begins. */
  readonly remainingMs?: readonly [number, ...number[]];
};

type Change = 'set' | 'clear' | 'keep';
const shapes: readonly [readonly [Change, Change], ...(readonly [Change, Change])[]] = [
  ['set', 'keep'],
  ['set', 'keep'],
  ['keep', 'set'],
  ['keep', 'set'],
  ['set', 'set'],
  ['clear', 'keep'],
  ['keep', 'clear'],
  ['set', 'clear'],
  ['clear', 'clear'],
];

/** A patch whose values nobody else sends: a value seen anywhere tells its writer. */
export const uniquePatch = (random: () => number, name: string): Patch => {
  const [summary, documentKind] = pick(random, shapes);
  const value = (change: Change, field: string) => (change === 'set' ? `${field} ${name}` : null);
  return {
    ...(summary !== 'keep' && { summary: value(summary, 's') }),
    ...(documentKind !== 'keep' && { documentKind: value(documentKind, 'd') }),
  };
};

/** Lets all writers update all files at once, each request drawn from the seed, and tells what came of it. */
export const runLoad = async (
  files: readonly FileId[],
  writers: readonly Writer[],
  {
    seed,
    name = '',
    patch: given,
    updates,
    atOnce = 1,
    limit = Number.POSITIVE_INFINITY,
    conditional = 0,
    remainingMs = [10_000],
  }: Load,
): Promise<Operations> => {
  const operations = new Map(files.map(({ fileId }): [string, Told[]] => [fileId, []]));
  const inTurn = createTurns(limit);
  const lanes = writers.flatMap((write) => Array<Writer>(atOnce).fill(write));

  const runLane = async (write: Writer, lane: number) => {
    const random = createRandom(seed + 7919 * lane);
    /** The newest version of each file that this client was told. */
    const known = new Map<string, number>();
    for (let n = lane; n < updates; n += lanes.length) {
      const file = files[Math.floor(random() * files.length)];
      if (!file) return;
      const version = known.get(file.fileId);
      const patch = given ?? uniquePatch(random, `${name}${n}`);
      const isConditional = random() * 100 < conditional;
      const update = {
        ...file,
        patch,
        remainingMs: pick(random, remainingMs),
        ...(isConditional && version !== undefined && { allowed: [version] }),
      };
      const operation = await inTurn(() => write(update));
      operations.get(file.fileId)?.push(operation);
      if (operation.version !== undefined) known.set(file.fileId, operation.version);
    }
  };
  await Promise.all(lanes.map(runLane));
  return operations;
};

/** How often each status was answered. */
export const countStatuses = (operations: Operations): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const { status } of [...operations.values()].flat()) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};
