/** Every text of the world by its path: `apiKeys.editor`. */
export const flatten = (part: object, path = ''): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(part).flatMap(([name, value]: [string, unknown]) => {
      if (typeof value === 'string') return [[path + name, value] as const];
      return typeof value === 'object' && value !== null ? [...flatten(value, `${path}${name}.`)] : [];
    }),
  );
