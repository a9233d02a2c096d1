import type { BuildOptions } from 'esbuild';
import * as z from 'zod';
import { check } from '#tools/cli.ts';
import { readServerlessConfig } from '#tools/serverless-config.ts';

/**
 * What makes the bundle smaller or its start faster; docs/decisions has the reasons. None of them replaces code of ours.
 * Each optimization has the options of esbuild that it takes.
 */
export const optimizations = {
  /** What the SDK imports only when it needs it: nothing of it, if the credentials are in the environment. */
  'external-parts': {
    external: [
      '@aws-sdk/credential-provider-http',
      '@aws-sdk/credential-provider-ini',
      '@aws-sdk/credential-provider-process',
      '@aws-sdk/credential-provider-sso',
      '@aws-sdk/credential-provider-web-identity',
      '@smithy/core/event-streams',
      '@smithy/credential-provider-imds',
    ],
  },
  /** The first call to DynamoDB is made while the function is loaded. */
  primed: {},
  /** V8's compiled code beside the bundle. It serves only the Node version that builds it. */
  'code-cache': {},
} satisfies Record<string, Pick<BuildOptions, 'external'>>;

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
export const readOptimizations = (options: unknown): readonly Optimization[] => {
  const { without, codeCache } = check(BuildSchema, options);
  const kept = defaultOptimizations.filter((name) => !without.includes(name));
  return codeCache ? [...kept, 'code-cache'] : kept;
};

/**
 * The optimizations of what is deployed, without a code cache: `custom.build.without` of serverless.yml.
 *
 * @param more what to leave out besides
 * @throws {UsageError} for an unknown name
 */
export const deployedOptimizations = (more: readonly string[] = []): readonly Optimization[] =>
  readOptimizations({ without: [...readServerlessConfig().without, ...more], codeCache: false });
