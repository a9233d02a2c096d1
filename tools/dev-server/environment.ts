import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { localFolder } from '#tools/project.ts';

/** Environment variables to set; undefined removes one. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The table names, by the environment variables of the function. */
export const TableNamesSchema = z.object({
  API_KEYS_TABLE: z.string(),
  SPACES_TABLE: z.string(),
  FILES_TABLE: z.string(),
});
export type TableNames = z.infer<typeof TableNamesSchema>;

const dummyCredentials: Environment = {
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  AWS_SESSION_TOKEN: undefined,
  AWS_PROFILE: undefined,
};

/** The variables with which the SDK calls our own engine. The user's credentials are never sent to it. */
export const engineEnvironment = (endpoint: string): Environment => ({
  AWS_ENDPOINT_URL_DYNAMODB: endpoint,
  AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: undefined,
  AWS_REGION: 'us-east-1',
  AWS_EC2_METADATA_DISABLED: 'true',
  ...dummyCredentials,
});

/** What is missing to call the user's own AWS_ENDPOINT_URL_DYNAMODB: local engines need any Region and credentials. */
export const customEnvironment = (): Environment => {
  const { AWS_REGION, AWS_DEFAULT_REGION, AWS_ACCESS_KEY_ID, AWS_PROFILE } = process.env;
  return {
    AWS_REGION: AWS_REGION ?? AWS_DEFAULT_REGION ?? 'us-east-1',
    AWS_EC2_METADATA_DISABLED: 'true',
    ...(AWS_ACCESS_KEY_ID === undefined && AWS_PROFILE === undefined && dummyCredentials),
  };
};

/** Sets the variables in this process, where the SDK and the function read them. */
export const applyEnvironment = (variables: Environment): void => {
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
};

const stateFile = join(process.env['SPACE_FILES_STATE_DIR'] ?? localFolder, 'engine.json');
const StateSchema = z.object({ endpoint: z.string(), tables: TableNamesSchema });

/** Until this process ends, tells the other commands where its database is. The latest `npm start` wins. */
export const publishDatabase = (endpoint: string, tables: TableNames): void => {
  mkdirSync(dirname(stateFile), { recursive: true });
  writeFileSync(stateFile, JSON.stringify({ endpoint, tables }));
  process.once('exit', () => rmSync(stateFile, { force: true }));
};

/** The variables of the user's own endpoint, or else of a running `npm start` and its tables, if any. */
export const findDatabase = (): Environment | undefined => {
  if (process.env['AWS_ENDPOINT_URL_DYNAMODB']) return customEnvironment();
  if (!existsSync(stateFile)) return undefined;
  const { endpoint, tables } = StateSchema.parse(JSON.parse(readFileSync(stateFile, 'utf8')));
  return { ...engineEnvironment(endpoint), ...tables };
};
