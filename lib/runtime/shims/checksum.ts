/** Shim for @smithy/core/checksum in the deployed bundle (docs/decisions/006). Signing needs only its SHA-256. */
export { Sha256 } from './sha256.ts';

/** Only event streams ask for it, and DynamoDB has none. */
export const Crc32 = (): never => {
  throw new Error('CRC-32 is left out of this bundle (docs/decisions/006)');
};
