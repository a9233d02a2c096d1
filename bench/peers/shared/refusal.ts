/** An answer other than 200. */
export type Refusal = { readonly status: 400 | 401 | 403 | 404; readonly message: string };

export const badRequest = (message: string): Refusal => ({ status: 400, message });

export const notJson = badRequest('Request body is not valid JSON');
export const invalidKey: Refusal = { status: 401, message: 'Invalid API Key' };
export const notPermitted: Refusal = {
  status: 403,
  message: 'API Key does not have permission to access this resource',
};
export const noSpace: Refusal = { status: 404, message: 'Space not found' };
export const noFile: Refusal = { status: 404, message: 'File not found' };
