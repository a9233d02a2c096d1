/** A body as an event has it; without bytes there is none. */
export type EventBody = { body?: string; isBase64Encoded: boolean };

const textTypes = ['application/json', 'application/javascript', 'application/xml'];

/** Text stays text, byte for byte; anything that may not be text is base64. */
export const toEventBody = (bytes: Buffer, headers: Record<string, string>): EventBody => {
  if (bytes.length === 0) return { isBase64Encoded: false };
  const text = isText(headers) ? decode(bytes) : undefined;
  return text === undefined
    ? { body: bytes.toString('base64'), isBase64Encoded: true }
    : { body: text, isBase64Encoded: false };
};

const isText = (headers: Record<string, string>): boolean => {
  if (headers['content-encoding'] !== undefined) return false;
  const [mediaType = ''] = (headers['content-type'] ?? '').toLowerCase().split(';');
  const type = mediaType.trim();
  return type.startsWith('text/') || /\+(json|xml)$/.test(type) || textTypes.includes(type);
};

const decode = (bytes: Buffer): string | undefined => {
  try {
    // ignoreBOM keeps a byte order mark: the function decides what it means.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
};
