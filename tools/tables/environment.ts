import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { UsageError } from '#tools/cli.ts';
import { localFolder } from '#tools/project.ts';

/** Environment variables to set; undefined removes one. */
export type Environment = Readonly<Record<string, string | undefined>>;

const tableName = (standard: string) => z.optional(z.string()).transform((given) => given || standard);
/** The table names, by the environment variables of the function. */
const TableNamesSchema = z.object({
  API_KEYS_TABLE: tableName('space-files-dev-api-keys'),
  SPACES_TABLE: tableName('space-files-dev-spaces'),
  FILES_TABLE: tableName('space-files-dev-files'),
});
export type TableNames = z.infer<typeof TableNamesSchema>;

/** The table names in the environment of this process; those of stage dev where it has none. */
export const readTableNames = (): TableNames => TableNamesSchema.parse(process.env);

/**
 * Removes all settings of AWS that a shell or a home has. A local engine needs none of them. Some of them break each call
 * to it, for example a profile, or the choice of FIPS endpoints.
 */
export const withoutUserAws = (): Environment => ({
  ...Object.fromEntries(
    Object.keys(process.env)
      .filter((name) => name.startsWith('AWS_'))
      .map((name) => [name, undefined]),
  ),
  // Without these two, the SDK reads ~/.aws.
  AWS_CONFIG_FILE: '/dev/null',
  AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
});

/** `serverless invoke local` can set the two others after it has read the variables. */
const dummyCredentials: Environment = {
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  AWS_SESSION_TOKEN: undefined,
  AWS_PROFILE: undefined,
};

/** The variables with which the SDK calls our own engine. The user's credentials are never sent to it. */
export const engineEnvironment = (endpoint: string): Environment => ({
  ...withoutUserAws(),
  AWS_ENDPOINT_URL_DYNAMODB: endpoint,
  AWS_REGION: 'us-east-1',
  ...dummyCredentials,
});

/** A name without a dot, as a container has, or one of `localhost` or LocalStack; an address of this machine. */
const localHost = /^([^.:]+|(.+\.)?localhost(\.localstack\.cloud)?|127\.[\d.]+|0\.0\.0\.0|\[::1?\])$/;

/** Whether an endpoint is on this machine, by its name alone. Any other one may be AWS, which has many domains. */
export const isLocal = (endpoint: string): boolean =>
  localHost.test(new URL(endpoint).hostname.replace(/\.$/, ''));

/**
 * The variables with which the SDK calls the user's own AWS_ENDPOINT_URL_DYNAMODB. An engine needs any Region and any key.
 * A local one gets nothing else of the user's settings. Any other one may be AWS, and gets all of them.
 */
export const customEnvironment = (): Environment => {
  const { AWS_ENDPOINT_URL_DYNAMODB: endpoint = '', AWS_REGION, AWS_DEFAULT_REGION } = process.env;
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_PROFILE } = process.env;
  const region = { AWS_REGION: AWS_REGION ?? AWS_DEFAULT_REGION ?? 'us-east-1' };
  // DynamoDB Local keeps the data of each key by itself.
  const key = AWS_ACCESS_KEY_ID ? { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } : undefined;
  if (isLocal(endpoint)) return { ...engineEnvironment(endpoint), ...region, ...key };
  const hasCredentials = key !== undefined || AWS_PROFILE !== undefined;
  return { ...region, AWS_EC2_METADATA_DISABLED: 'true', ...(hasCredentials ? undefined : dummyCredentials) };
};

/** Sets the variables in this process, where the SDK and the function read them. */
export const applyEnvironment = (variables: Environment): void => {
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
};

const stateFolder = process.env['SPACE_FILES_STATE_DIR'] ?? localFolder;
const StateSchema = z.object({
  service: z.string(),
  endpoint: z.string(),
  isEmbedded: z.boolean(),
  tables: TableNamesSchema,
});

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** What each running `npm start` of this folder has published. One that was killed may have left its file. */
const runningDatabases = () =>
  globSync('npm-start-*.json', { cwd: stateFolder })
    .filter((name) => isRunning(Number(/\d+/.exec(name)?.[0])))
    .map((name) => StateSchema.parse(JSON.parse(readFileSync(join(stateFolder, name), 'utf8'))));

/** Until this process ends, tells the other commands where its database is. */
export const publishDatabase = (state: z.infer<typeof StateSchema>): void => {
  const file = join(stateFolder, `npm-start-${process.pid}.json`);
  mkdirSync(stateFolder, { recursive: true });
  writeFileSync(file, JSON.stringify(state));
  process.once('exit', () => rmSync(file, { force: true }));
};

/** Whether the endpoint is the embedded engine of a running `npm start` of this folder. */
export const isEmbedded = (endpoint: string): boolean =>
  runningDatabases().some((state) => state.isEmbedded && state.endpoint === endpoint);

/**
 * The variables of the user's own endpoint, or else of a running `npm start` and its tables, if any.
 *
 * @throws {UsageError} if several are running
 */
export const findDatabase = (): Environment | undefined => {
  if (process.env['AWS_ENDPOINT_URL_DYNAMODB']) return customEnvironment();
  const [only, ...more] = runningDatabases();
  if (only === undefined) return undefined;
  if (more.length > 0) {
    const all = [only, ...more].map(({ service, endpoint }) => `${endpoint} (of ${service})`).join(', ');
    throw new UsageError(
      `More than one npm start is running. Set AWS_ENDPOINT_URL_DYNAMODB to one of ${all}.`,
    );
  }
  return { ...engineEnvironment(only.endpoint), ...only.tables };
};

/**
 * Sets the environment of this process for the tables that it names. A named table is on AWS, unless
 * AWS_ENDPOINT_URL_DYNAMODB is set. Without a name or an endpoint, the tables are those of a running `npm start`.
 */
export const openDatabase = (): TableNames => {
  const { API_KEYS_TABLE, SPACES_TABLE, FILES_TABLE, AWS_ENDPOINT_URL_DYNAMODB } = process.env;
  if (AWS_ENDPOINT_URL_DYNAMODB || !(API_KEYS_TABLE || SPACES_TABLE || FILES_TABLE)) {
    const found = findDatabase();
    if (found === undefined)
      throw new UsageError(
        'No npm start is running. Run it, or set API_KEYS_TABLE, SPACES_TABLE and FILES_TABLE.',
      );
    applyEnvironment(found);
  }
  return readTableNames();
};
