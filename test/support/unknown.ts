let first: Error | undefined;

/**
 * Throws what a test double does not know. The service would take it for an error of DynamoDB, and respond with a 500. So
 * whoever lets the service use the double calls `endIfUnknown` then.
 */
export const unknown = (what: string, file = 'test/support/simulated-tables.ts'): never => {
  first ??= new Error(`${file} does not know ${what}`);
  throw first;
};

/** Ends a test that has asked a double for what it does not know. */
export const endIfUnknown = (): void => {
  const error = first;
  first = undefined;
  if (error) throw error;
};
