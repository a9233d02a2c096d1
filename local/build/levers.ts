/**
 * What makes the bundle smaller or its start faster, each with its reason in docs/decisions: the modules of the SDK
 * that it replaces, by those of lib/sdk.
 */
export const levers = {
  // Together: who looks for credentials elsewhere looks into files.
  'env-credentials': {
    '@aws-sdk/credential-provider-node': './lib/runtime/shims/credentials.ts',
    'node:fs/promises': './lib/runtime/shims/no-files.ts',
  },
  'no-endpoint-discovery': { '@aws-sdk/middleware-endpoint-discovery': './lib/runtime/shims/endpoint-discovery.ts' },
  'no-event-streams': { '@smithy/core/event-streams': './lib/runtime/shims/event-streams.ts' },
  'own-request-handler': { '@smithy/node-http-handler': './lib/runtime/shims/request-handler.ts' },
  'own-sha256': { '@smithy/core/checksum': './lib/runtime/shims/checksum.ts' },
  /** The first call is made while the function is loaded. */
  primed: {},
  /** Compiled code beside the bundle: only for the very Node that builds. */
  'code-cache': {},
} satisfies Record<string, Record<string, string>>;

export type Lever = keyof typeof levers;
const leverNames = Object.keys(levers) as readonly Lever[];

/** All that serve on any machine. */
export const defaultLevers: readonly Lever[] = leverNames.filter((name) => name !== 'code-cache');
