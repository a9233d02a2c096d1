/** Numbers from 0 up to 1, the same ones for the same seed (mulberry32, Tommy Ettinger). */
const createRandom = (seed: number) => {
  let state = seed;
  return (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** The same values in another order, the same one for the same seed. */
export const shuffled = <Value>(values: readonly Value[], seed: number): readonly Value[] => {
  const random = createRandom(seed);
  return values
    .map((value) => ({ value, place: random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ value }) => value);
};
