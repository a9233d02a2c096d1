/** The SDK's own settings for an engine or a proxy in front of one. */
export const settingsFor = (endpoint: string): Readonly<Record<string, string>> => ({
  AWS_ENDPOINT_URL_DYNAMODB: endpoint,
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  AWS_REGION: 'us-east-1',
});
