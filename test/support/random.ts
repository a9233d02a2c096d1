/**
 * Random numbers from 0 up to 1 that are the same for the same seed (mulberry32, by Tommy Ettinger, public domain).
 *
 * @param seed an integer
 */
export const createRandom = (seed: number) => {
  let state = seed;
  return (): number => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};
