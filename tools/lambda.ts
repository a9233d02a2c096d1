import { randomUUID } from 'node:crypto';
import { globSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { basename, dirname, join } from 'node:path';
import type { Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import type { Context } from 'aws-lambda';
import * as z from 'zod';
import type { Limits } from './serverless-config.ts';

/** A function as Lambda calls it. The event may be of any format. */
export type LambdaFunction = (event: unknown, context: Context) => unknown;
/** What a bundle exports (lib/runtime/entry.ts). */
type Bundle = { readonly handler: LambdaFunction; readonly prime: () => Promise<void> };

/** Stricter than API Gateway, which makes a 200 of any JSON without a statusCode: ours never means that. */
export const ResponseSchema = z.object({
  statusCode: z.int(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
});
export type LambdaResponse = z.infer<typeof ResponseSchema>;

const unavailable = () => {
  throw new Error('Lambda has no callbacks any more');
};

/** The context of one invocation. Its time starts to run now. */
export const createContext = ({ timeout, memorySize }: Limits): Context => {
  const functionName = 'local';
  const end = performance.now() + timeout * 1000;
  return {
    callbackWaitsForEmptyEventLoop: true,
    functionName,
    functionVersion: '$LATEST',
    invokedFunctionArn: `arn:aws:lambda:us-east-1:000000000000:function:${functionName}`,
    memoryLimitInMB: String(memorySize),
    awsRequestId: randomUUID(),
    logGroupName: `/aws/lambda/${functionName}`,
    logStreamName: 'local',
    getRemainingTimeInMillis: () => Math.max(0, Math.floor(end - performance.now())),
    done: unavailable,
    fail: unavailable,
    succeed: unavailable,
  };
};

/**
 * Lets a debugger find the source map of a bundle: it sets breakpoints in handlers/ and lib/. What is deployed does not
 * name its map, because Lambda does not have it.
 */
const nameSourceMap = (file: string) => {
  const [map] = globSync(`${basename(file)}.*.map`, { cwd: dirname(file) });
  const comment =
    map === undefined ? '' : `\n//# sourceMappingURL=${pathToFileURL(join(dirname(file), map))}`;
  return registerHooks({
    load: (url, context, nextLoad) => {
      const loaded = nextLoad(url, context);
      const isBundle = url === pathToFileURL(file).href;
      return isBundle ? { ...loaded, source: `${loaded.source}${comment}` } : loaded;
    },
  });
};

/** Loads the bundle, again if it was loaded before. @param stdout gets the log of the function */
export const loadFunction = (file: string, stdout: Writable): LambdaFunction => {
  const own = Object.getOwnPropertyDescriptor(process, 'stdout') ?? {};
  // The bundle keeps the stdout that it finds while it is loaded.
  Object.defineProperty(process, 'stdout', { value: stdout, configurable: true });
  const hooks = nameSourceMap(file);
  try {
    const require = createRequire(import.meta.url);
    delete require.cache[require.resolve(file)];
    const bundle: Bundle = require(file);
    return bundle.handler;
  } finally {
    hooks.deregister();
    Object.defineProperty(process, 'stdout', own);
  }
};
