/**
 * Shim for @aws-sdk/middleware-endpoint-discovery in the deployed bundle (docs/decisions/006). Our commands do not use
 * endpoint discovery.
 */
export const resolveEndpointDiscoveryConfig = <Config>(config: Config): Config => config;

/** Nothing is read from the environment or from a file. */
export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = {
  environmentVariableSelector: () => undefined,
  configFileSelector: () => undefined,
  default: undefined,
};
