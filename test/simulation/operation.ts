/** The real code under simulation: what the function runs for each request. */
export { createUpdateHandler } from '#handlers/update-file.ts';
