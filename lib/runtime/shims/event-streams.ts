const notIncluded = (): never => {
  throw new Error('event streams are left out of this bundle (docs/decisions/006)');
};

/**
 * Shim for @smithy/core/event-streams in the deployed bundle (docs/decisions/006). DynamoDB's API has no event streams.
 * The SDK imports the module dynamically, so a bundler must keep all of it, and with it half of @smithy/core.
 */
export const eventStreamSerdeProvider = notIncluded;
export const EventStreamSerde = notIncluded;
