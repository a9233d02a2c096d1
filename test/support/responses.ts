const standardHeaders = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
};

/** A whole response with the headers that every response carries. */
export const aResponse = (
  statusCode: number,
  body: unknown,
  headers: Record<string, string> = {},
  requestId = 'request-1',
) => ({
  statusCode,
  headers: { ...standardHeaders, ...headers, 'x-request-id': requestId },
  body: JSON.stringify(body),
});

/** A whole error response. */
export const anError = (
  statusCode: number,
  { code, message }: { code: string; message: string },
  headers: Record<string, string> = {},
  requestId = 'request-1',
) => aResponse(statusCode, { message }, { 'x-error-code': code, ...headers }, requestId);

/** 200 with the file and the etag of a version. */
export const anUpdate = (view: unknown, version: number, requestId = 'request-1') =>
  aResponse(200, view, { etag: `"${version}"` }, requestId);
