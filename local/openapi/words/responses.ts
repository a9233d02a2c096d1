/** What each status means as a whole; the examples tell the single cases. */
export const responseWords: ReadonlyMap<number, string> = new Map([
  [
    200,
    'Updated: the file as this very write left it. It is durable, and its `etag` names it. ' +
      'Version 1 may add fields: ignore what you do not know.',
  ],
  [400, 'The request cannot be understood. Nothing was written; send another one.'],
  [401, 'The API key is missing, malformed, unknown, revoked or expired. Nothing was written.'],
  [403, "The API key may not do this, or the space is private and not the caller's. Nothing was written."],
  [404, 'There is no such space in the tenant, or no such file in the space. Nothing was written.'],
  [
    412,
    'The file was changed since the tag in `If-Match`; the current `etag` comes along. Nothing was written.',
  ],
  [413, 'The body, or the file with this change, would be too large. Nothing was written.'],
  [415, 'The body is not JSON in plain UTF-8. Nothing was written.'],
  [
    429,
    'Too many requests: answered by API Gateway itself. Nothing was written; send it again, more slowly.',
  ],
  [500, 'Something broke. The write may or may not have been applied: send it again.'],
  [503, 'The database did not answer in time. The write may or may not have been applied: send it again.'],
]);
