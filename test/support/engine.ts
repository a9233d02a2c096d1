import type { TestProject } from 'vitest/node';
import { startEngine } from '#tools/dev-server/engine.ts';

declare module 'vitest' {
  interface ProvidedContext {
    endpoint: string;
  }
}

/** One DynamoDB engine for the whole run; AWS_ENDPOINT_URL_DYNAMODB names another one to use in its place. */
export default async (project: TestProject) => {
  const other = process.env['AWS_ENDPOINT_URL_DYNAMODB'];
  const engine = other ? undefined : await startEngine();
  project.provide('endpoint', other ?? engine?.endpoint ?? '');
  return engine?.stop;
};
