import type { World } from './world.ts';

/**
 * The environment of a child process that plays Lambda: what Lambda sets and the SDK reads, and nothing of this
 * machine's own, no ~/.aws either.
 *
 * @param extra more variables, NODE_EXTRA_CA_CERTS for one
 */
export const childEnvironment = (
  { endpoint, tables }: Pick<World, 'endpoint' | 'tables'>,
  extra: Readonly<Record<string, string>> = {},
): Record<string, string> => ({
  API_KEYS_TABLE: tables.API_KEYS_TABLE,
  SPACES_TABLE: tables.SPACES_TABLE,
  FILES_TABLE: tables.FILES_TABLE,
  AWS_ENDPOINT_URL_DYNAMODB: endpoint,
  AWS_REGION: 'us-east-1',
  AWS_DEFAULT_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'ASIABENCHBENCHBENCH',
  AWS_SECRET_ACCESS_KEY: 'bench',
  AWS_SESSION_TOKEN: 'bench',
  AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
  AWS_LAMBDA_FUNCTION_NAME: 'space-files-bench',
  AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '512',
  AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
  HOME: '/nonexistent',
  LANG: 'en_US.UTF-8',
  TZ: ':UTC',
  ...extra,
});
