import awsLite from '@aws-lite/client';

// It takes an endpoint as an option, not from the variable that is DynamoDB's own.
const endpoint = process.env['AWS_ENDPOINT_URL_DYNAMODB'];

/** The client with the DynamoDB plugin. A promise, as CommonJS cannot await it while loading. */
export const client = awsLite({
  plugins: [import('@aws-lite/dynamodb')],
  ...(endpoint !== undefined && { endpoint }),
});
