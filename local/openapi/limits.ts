import { FilePatchSchema } from '#lib/domain/file-patch.ts';
import { readIfMatch } from '#lib/http/request-headers.ts';
import { readEvent } from '#lib/http/event.ts';
import { expectJson } from '#lib/http/read-file-patch.ts';
import { readApiKey } from '#lib/http/request-headers.ts';
import { readBody } from '#lib/http/read-file-patch.ts';
import { readCallerIds } from '#lib/http/request-headers.ts';
import { measureLimit, takes } from './measure-limit.ts';

/** Two UTF-16 units and four bytes, but one character: it tells what a limit counts. */
const WIDE = '👋';
const noRequest = readEvent(undefined);

const textLimit = (name: 'summary' | 'documentKind') =>
  measureLimit((size) => FilePatchSchema.safeParse({ [name]: WIDE.repeat(size) }).success);

/** The limits that the code keeps, measured on the code: none is written down twice. */
export const limits = {
  /** Code points of each editable field. */
  summary: textLimit('summary'),
  documentKind: textLimit('documentKind'),
  /** Code points of x-user-id and of x-tenant-id. */
  id: measureLimit((size) =>
    takes(() =>
      readCallerIds(
        new Map([
          ['x-user-id', WIDE.repeat(size)],
          ['x-tenant-id', 'a'],
        ]),
      ),
    ),
  ),
  /** Characters of x-api-key. */
  apiKey: measureLimit((size) => takes(() => readApiKey(new Map([['x-api-key', 'k'.repeat(size)]])))),
  /** Characters of Content-Type. */
  contentType: measureLimit((size) =>
    takes(() => expectJson(new Map([['content-type', 'application/json;a=b'.padEnd(size, 'b')]]))),
  ),
  /** Tags in If-Match. */
  etags: measureLimit(
    (size) => readIfMatch(new Map([['if-match', Array(size).fill('"0"').join()]])).kind === 'versions',
  ),
  /** Bytes of a body. */
  body: measureLimit((size) => takes(() => readBody({ ...noRequest, body: 'x'.repeat(size) }))),
} as const;

/** A number as people read it: 131 072. */
export const grouped = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ' ');
