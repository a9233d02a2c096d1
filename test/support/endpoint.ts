import { vi } from 'vitest';

/** The SDK's own settings for an engine or a proxy in front of one. */
export const settingsFor = (endpoint: string): Readonly<Record<string, string>> => ({
  AWS_ENDPOINT_URL_DYNAMODB: endpoint,
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  AWS_REGION: 'local-1',
});

/** Makes them ours until `vi.unstubAllEnvs`. A client reads them with its first call. */
export const useEndpoint = (endpoint: string): void => {
  for (const [name, value] of Object.entries(settingsFor(endpoint))) vi.stubEnv(name, value);
};
