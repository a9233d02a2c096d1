import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { type Measurement, oncePerCode } from '../measurement.ts';

/** The minified bundle. */
export const size: Measurement = async ({ variants }) => {
  const valuesOf = (bytesOf: (bundle: Buffer) => number) =>
    Object.fromEntries(
      oncePerCode(variants).map(({ id, file }) => [id, [bytesOf(readFileSync(file)) / 1024]]),
    );
  return {
    'bundle, KB': valuesOf(({ byteLength }) => byteLength),
    'gzipped, KB': valuesOf((bundle) => gzipSync(bundle).byteLength),
  };
};
