const named = (variable: string): string => {
  const name = process.env[variable];
  if (!name) throw new Error(`${variable} is not set`);
  return name;
};

/** The names of the three tables, from the environment. */
export const tables = {
  apiKeys: named('API_KEYS_TABLE'),
  spaces: named('SPACES_TABLE'),
  files: named('FILES_TABLE'),
};
