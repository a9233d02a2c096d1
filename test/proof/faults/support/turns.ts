/** Lets at most so many actions run at once; the others wait for their turn. */
export const createTurns = (limit: number) => {
  let free = limit;
  const waiting: (() => void)[] = [];
  return async <Result>(action: () => Promise<Result>): Promise<Result> => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await action();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
};
