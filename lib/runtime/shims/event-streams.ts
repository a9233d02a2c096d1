const refuse = (): never => {
  throw new Error('event streams are left out of this bundle (docs/decisions/006)');
};

/**
 * Shim for @smithy/core/event-streams in the deployed bundle (docs/decisions/006): DynamoDB's API has none.
 * What is loaded on demand must be kept whole by a bundler, and with it half of @smithy/core.
 */
export const eventStreamSerdeProvider = refuse;
export const EventStreamSerde = refuse;
