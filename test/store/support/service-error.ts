/** An error as the SDK throws it. */
export const serviceError = (name: string, status = 400, extra = {}) =>
  Object.assign(new Error(name), { name, $metadata: { httpStatusCode: status }, ...extra });
