import awsLite from '@aws-lite/client';
import { plainHandler, storeOn } from './shared/operation.ts';

// It takes an endpoint as an option, not from the variable of DynamoDB.
const endpoint = process.env['AWS_ENDPOINT_URL_DYNAMODB'];

/** A promise, because CommonJS cannot await it while loading. */
const client = awsLite({
  // @ts-expect-error The plugin has no types; those of its methods are @aws-lite/dynamodb-types.
  plugins: [import('@aws-lite/dynamodb')],
  ...(endpoint !== undefined && { endpoint }),
});

/** The plain handler on aws-lite instead of the AWS SDK. */
export const handler = plainHandler(
  storeOn({
    get: async (input) => (await (await client).DynamoDB.GetItem({ ...input, ConsistentRead: true })).Item,
    update: async (input) => {
      try {
        return (await (await client).DynamoDB.UpdateItem(input)).Attributes;
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ConditionalCheckFailedException')
          return undefined;
        throw error;
      }
    },
  }),
);
