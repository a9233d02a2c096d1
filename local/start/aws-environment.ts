/** Environment variables; undefined removes one. */
type Environment = Record<string, string | undefined>;

const dummyCredentials: Environment = {
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  AWS_SESSION_TOKEN: undefined,
  AWS_PROFILE: undefined,
};

/** What the SDK needs to talk to our own engine, and nothing of the user's: their credentials stay with them. */
export const engineEnvironment = (endpoint: string): Environment => ({
  AWS_ENDPOINT_URL_DYNAMODB: endpoint,
  AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: undefined,
  AWS_REGION: 'us-east-1',
  AWS_EC2_METADATA_DISABLED: 'true',
  ...dummyCredentials,
});

/** What is missing for an engine of the user's own: local engines want credentials and a Region, whichever. */
export const foreignEnvironment = (env: NodeJS.ProcessEnv): Environment => ({
  AWS_REGION: env['AWS_REGION'] ?? env['AWS_DEFAULT_REGION'] ?? 'us-east-1',
  AWS_EC2_METADATA_DISABLED: 'true',
  ...(env['AWS_ACCESS_KEY_ID'] === undefined && env['AWS_PROFILE'] === undefined && dummyCredentials),
});

/** Puts the variables into this process, where the SDK and the function look for them. */
export const applyEnvironment = (variables: Environment): void => {
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
};
