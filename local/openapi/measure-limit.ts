/** Above every limit of ours: what still fits there has none. */
const CEILING = 1 << 20;

/**
 * The largest size that is accepted, for a check that accepts every size from 1 up to some limit and nothing above.
 * So the documents tell the limit that is kept, wherever in the code it stands.
 */
export const measureLimit = (accepts: (size: number) => boolean): number => {
  let fits = 0;
  let tooMuch = CEILING;
  if (accepts(tooMuch)) throw new Error('there is no limit to measure');
  while (tooMuch - fits > 1) {
    const middle = Math.floor((fits + tooMuch) / 2);
    if (accepts(middle)) fits = middle;
    else tooMuch = middle;
  }
  return fits;
};

/** Whether a reader takes what it is given: ours refuse by throwing. */
export const takes = (read: () => unknown): boolean => {
  try {
    read();
    return true;
  } catch {
    return false;
  }
};
