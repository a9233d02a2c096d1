/**
 * Shim for node:fs/promises in the deployed bundle (docs/decisions/006). Only the SDK's reader of ~/.aws imports it, and
 * a Lambda function has no such folder.
 *
 * @throws what a missing file throws
 */
export const readFile = async (path: string): Promise<never> => {
  throw Object.assign(new Error(`not read: ${path} (docs/decisions/006)`), { code: 'ENOENT' });
};
