/** Shim for @smithy/core/checksum in the deployed bundle (docs/decisions/012), of which signing needs SHA-256. */
export { Sha256 } from './sha256.ts';

/** Asked for by event streams alone, which DynamoDB's API has none of. */
export const Crc32 = (): never => {
  throw new Error('CRC-32 is left out of this bundle (docs/decisions/012)');
};
