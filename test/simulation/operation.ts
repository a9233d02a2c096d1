/** The real code under simulation: what the function runs for each request, and the store behind it. */
export { createUpdateHandler } from '#handlers/update-file.ts';
export { createUpdateStore } from '#lib/store/update-file.ts';
