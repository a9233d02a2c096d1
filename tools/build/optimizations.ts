/**
 * What makes the bundle smaller or its start faster, with a reason in docs/decisions. Each names the modules of the
 * SDK that it replaces, and the shims that replace them.
 */
export const optimizations = {
  // Together, because the SDK's other credential providers read files.
  'env-credentials': {
    '@aws-sdk/credential-provider-node': './lib/sdk/credentials.ts',
    'node:fs/promises': './lib/sdk/no-files.ts',
  },
  'no-endpoint-discovery': { '@aws-sdk/middleware-endpoint-discovery': './lib/sdk/endpoint-discovery.ts' },
  'no-event-streams': { '@smithy/core/event-streams': './lib/sdk/event-streams.ts' },
  'own-request-handler': { '@smithy/node-http-handler': './lib/sdk/request-handler.ts' },
  'own-sha256': { '@smithy/core/checksum': './lib/sdk/checksum.ts' },
  /** The first call to DynamoDB is made while the function is loaded. */
  primed: {},
  /** V8's compiled code beside the bundle. It serves only the Node version that builds it. */
  'code-cache': {},
} satisfies Record<string, Record<string, string>>;

export type Optimization = keyof typeof optimizations;

/** All that work on any machine. */
export const defaultOptimizations = Object.keys(optimizations).filter(
  (name): name is Optimization => name in optimizations && name !== 'code-cache',
);
