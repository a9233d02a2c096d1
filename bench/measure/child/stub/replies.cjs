'use strict';

/**
 * Our own write marks the item, by a UUID under whatever name, and checks that the reply is of this very write: the
 * mark must go back as it came.
 */
const markOf = (body) =>
  /"ExpressionAttributeValues":.*?"S":"([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})"/.exec(body)?.[1];

/**
 * Calls of the same kind have the same reply: reads that ask for the same, and all writes to one table, which differ
 * in their marks only.
 */
exports.kindOf = (headers, body) => {
  const name = Object.keys(headers).find((header) => header.toLowerCase() === 'x-amz-target');
  const target = headers[name];
  const table = /"TableName":"([^"]+)"/.exec(body)?.[1];
  return `${target} ${target.endsWith('.UpdateItem') ? table : body}`;
};

/** Gives a function from the body of a later call to its reply. Throws for a reply that is not 200. */
exports.keepReply = (firstBody, { message, body }) => {
  if (message.statusCode !== 200) throw new Error(`the engine answered ${message.statusCode}: ${body}`);
  // The checksum would be of the first reply.
  const { 'x-amz-crc32': _, ...headers } = message.headers;
  const reply = { status: 200, headers, rawHeaders: Object.entries(headers).flat() };
  const mark = markOf(firstBody);
  if (mark === undefined) return () => ({ ...reply, body });
  const pieces = body.toString().split(mark);
  return (laterBody) => ({ ...reply, body: Buffer.from(pieces.join(markOf(laterBody))) });
};
