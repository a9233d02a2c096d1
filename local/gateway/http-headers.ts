/** Headers as an event has them: lower-case names, a repeated one joined by commas, cookies apart. */
export type EventHeaders = { headers: Record<string, string>; cookies: string[] };

/** Reads Node's flat list of names and values, the only form in which Node drops no repeated header. */
export const toEventHeaders = (rawHeaders: readonly string[]): EventHeaders => {
  const headers = new Map<string, string[]>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    headers.set(name, [...(headers.get(name) ?? []), rawHeaders[index + 1] ?? '']);
  }
  const cookies = (headers.get('cookie') ?? [])
    .flatMap((value) => value.split(';'))
    .map((cookie) => cookie.trim())
    .filter((cookie) => cookie !== '');
  headers.delete('cookie');
  return {
    headers: Object.fromEntries([...headers].map(([name, values]) => [name, values.join()])),
    cookies,
  };
};
