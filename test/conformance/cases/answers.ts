import type { Editable, Expected } from '../case.ts';

/** A refusal with exactly this message. */
export const refused = (status: number, message: string, headers?: Expected['headers']): Expected => ({
  status,
  message,
  ...(headers && { headers }),
});

/** A 200 with the file as it is with these two values. */
export const updated = (summary: Editable['summary'], documentKind: Editable['documentKind']): Expected => ({
  status: 200,
  file: { summary, documentKind },
});

/** What the usual request does once nothing is wrong with it. */
export const updatedAsUsual = updated('Must not be stored.', 'before');

export const userIdMissing = refused(400, 'x-user-id is required');
export const userIdInvalid = refused(400, 'x-user-id is invalid');
export const tenantIdMissing = refused(400, 'x-tenant-id is required');
export const tenantIdInvalid = refused(400, 'x-tenant-id is invalid');
export const keyInvalid = refused(401, 'Invalid API Key');
export const notPermitted = refused(403, 'API Key does not have permission to access this resource');
export const notJsonType = refused(415, 'Content-Type must be application/json', {
  'accept-patch': 'application/json, application/merge-patch+json',
});
export const encoded = refused(415, 'Content-Encoding is not supported');
export const tooLarge = refused(413, 'Request body is too large');
export const noBody = refused(400, 'Request body is required');
export const notJson = refused(400, 'Request body is not valid JSON');
export const notObject = refused(400, 'Request body must be a JSON object');
export const nothingGiven = refused(400, 'At least one of summary, documentKind must be provided');
export const spaceNotFound = refused(404, 'Space not found');
export const fileNotFound = refused(404, 'File not found');
export const ifMatchInvalid = refused(400, 'If-Match is invalid');
export const fileChanged = refused(412, 'File was changed by another request', { etag: '{etag}' });

/** Left to the gateway by the contract: a refusal of any kind. */
export const refusedByGateway: Expected = { status: '4xx' };
