/** The real code under simulation: what the function runs for each request, and the store behind it. */
export { route, updateFile } from '#handlers/update-file.ts';
export { createHandler } from '#lib/http/create-handler.ts';
export { createUpdateStore } from '#lib/store/update-file.ts';
