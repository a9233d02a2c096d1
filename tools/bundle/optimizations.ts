import * as z from 'zod';
import { check } from '#tools/cli.ts';

/**
 * What makes the bundle smaller, its start faster or its calls cheaper; docs/decisions has the reasons. Each optimization
 * names modules, and the shims that replace them.
 */
export const optimizations = {
  // Together, because the SDK's other credential providers read files.
  'env-credentials': {
    '@aws-sdk/credential-provider-node': './lib/runtime/shims/credentials.ts',
    'node:fs/promises': './lib/runtime/shims/no-files.ts',
  },
  'no-event-streams': { '@smithy/core/event-streams': './lib/runtime/shims/event-streams.ts' },
  /** The same client, whose calls take less processor time. */
  'fast-client': { '#lib/runtime/dynamodb-client.ts': './lib/runtime/shims/fast-client.ts' },
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

const BuildSchema = z.strictObject({
  without: z.array(z.enum(defaultOptimizations)),
  codeCache: z.boolean(),
});

/** The optimizations of a build, from its options. Throws a UsageError for an unknown option or name. */
export const readOptimizations = (options: unknown): Optimization[] => {
  const { without, codeCache } = check(BuildSchema, options);
  const kept = defaultOptimizations.filter((name) => !without.includes(name));
  return codeCache ? [...kept, 'code-cache'] : kept;
};
