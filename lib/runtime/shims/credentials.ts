import { fromEnv } from '@aws-sdk/credential-provider-env';

type Credentials = Awaited<ReturnType<ReturnType<typeof fromEnv>>>;

/**
 * Shim for @aws-sdk/credential-provider-node in the deployed bundle (docs/decisions/006). Lambda puts credentials into
 * the environment, so the other places to look for them are left out. They are read once: an instance ends before they
 * expire.
 */
export const defaultProvider = (...options: Parameters<typeof fromEnv>) => {
  const read = fromEnv(...options);
  let credentials: Credentials | undefined;
  return async (): Promise<Credentials> => {
    credentials ??= await read();
    return credentials;
  };
};
