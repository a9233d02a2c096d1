import { gzipSync } from 'node:zlib';
import type { Case, Group } from '../case.ts';
import { encoded, updatedAsUsual } from './answers.ts';

const gzipped = gzipSync('{"summary":"Must not be stored."}');

/** Row 4 of the contract's table, second: is it sent as it is? */
export const encoding: Group = {
  title: 'Content encoding',
  cases: [
    {
      name: 'A body compressed with gzip is refused',
      send: { headers: { 'content-encoding': 'gzip' }, body: gzipped },
      expect: encoded,
    },
    ...['gzip', 'deflate', 'br', 'zstd', 'aws-chunked', 'identity, gzip'].map(
      (name): Case => ({
        name: `A body that is said to be encoded as "${name}" is refused`,
        send: { headers: { 'content-encoding': name } },
        expect: encoded,
      }),
    ),
    ...['identity', 'IDENTITY'].map(
      (name): Case => ({
        name: `The encoding "${name}" means none`,
        send: { headers: { 'content-encoding': name } },
        expect: updatedAsUsual,
      }),
    ),
  ],
};
