/**
 * Stands in for @aws-sdk/credential-provider-node in the deployed bundle (docs/decisions/007): Lambda hands its
 * credentials over in the environment, so the other eight places to look for them stay out.
 */
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';
