import type { Precondition } from '#lib/domain/precondition.ts';
import type { RequestHeaders } from './headers.ts';

/** DynamoDB takes at most 100 operands of IN. */
export const MAX_TAGS = 100;

/** The next member of a list, or its end; empty members count for nothing (RFC 9110, 8.8.3 and 5.6.1). */
const NEXT_TAG = /[\t ,]*(?:((?:W\/)?"[!#-~\x80-\xff]*")[\t ]*(?:,|$)|$)/y;
const OUR_TAG = /^"(0|[1-9]\d{0,15})"$/;

/** The strong tag of a stored version. */
export const toEtag = (version: number): string => `"${version}"`;

/** The tags of a list; none when it cannot be read. */
const readTags = (list: string): readonly string[] => {
  const tags: string[] = [];
  NEXT_TAG.lastIndex = 0;
  while (NEXT_TAG.lastIndex < list.length && tags.length <= MAX_TAGS) {
    const next = NEXT_TAG.exec(list);
    if (!next) return [];
    if (next[1]) tags.push(next[1]);
  }
  return tags;
};

/**
 * What If-Match requires of the file (RFC 9110, 13.1.1): nothing when it is absent or `*`, else one of the listed
 * versions. A weak tag, and one that is not of our making, matches no version.
 */
export const readIfMatch = (headers: RequestHeaders): Precondition => {
  const value = headers.get('if-match')?.trim();
  if (value === undefined || value === '*') return { kind: 'none' };
  const tags = readTags(value);
  if (tags.length === 0 || tags.length > MAX_TAGS) return { kind: 'unreadable' };
  const versions = tags
    .map((tag) => Number(OUR_TAG.exec(tag)?.[1] ?? Number.NaN))
    .filter(Number.isSafeInteger);
  return { kind: 'versions', versions: [...new Set(versions)] };
};
