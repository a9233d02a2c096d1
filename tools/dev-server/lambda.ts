import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import type { Writable } from 'node:stream';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import * as z from 'zod';
import { reasonOf } from '#tools/cli.ts';
import type { Service } from './service.ts';

/** The function as Lambda calls it. */
export type LambdaFunction = (event: APIGatewayProxyEventV2, context: Context) => unknown;

const ModuleSchema = z.object({
  handler: z.custom<LambdaFunction>((value) => typeof value === 'function', 'no handler function'),
});

/** Stricter than API Gateway, which makes a 200 of any JSON without a statusCode: ours never means that. */
const ResponseSchema = z.object({
  statusCode: z.int().min(200).max(599),
  headers: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String)).default({}),
  cookies: z.array(z.string()).default([]),
  body: z.string().default(''),
  isBase64Encoded: z.boolean().default(false),
});
export type LambdaResponse = z.infer<typeof ResponseSchema>;

const timeout = Symbol('timeout');

const unavailable = () => {
  throw new Error('Node 24 on Lambda has no callbacks');
};

/** The context of one invocation. Its time starts to run now. */
export const createContext = ({ timeoutSeconds, memoryMegabytes }: Service): Context => {
  const functionName = 'space-files-dev-updateFile';
  const end = performance.now() + timeoutSeconds * 1000;
  return {
    callbackWaitsForEmptyEventLoop: true,
    functionName,
    functionVersion: '$LATEST',
    invokedFunctionArn: `arn:aws:lambda:us-east-1:000000000000:function:${functionName}`,
    memoryLimitInMB: String(memoryMegabytes),
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
 * Loads the bundle. If that fails, every call fails, as on Lambda.
 *
 * @param stdout gets the log of the function
 */
export const loadFunction = (file: string, stdout: Writable): LambdaFunction => {
  const ownStdout = Object.getOwnPropertyDescriptor(process, 'stdout') ?? {};
  // The bundle keeps the stdout that it finds while it is loaded.
  Object.defineProperty(process, 'stdout', { value: stdout, configurable: true });
  try {
    return ModuleSchema.parse(createRequire(import.meta.url)(file)).handler;
  } catch (error) {
    return () => {
      throw new Error(`the bundle cannot be loaded: ${reasonOf(error)}`, { cause: error });
    };
  } finally {
    Object.defineProperty(process, 'stdout', ownStdout);
  }
};

/** Calls the function. Throws if it throws, exceeds its timeout or returns an invalid response. */
export const callFunction = async (
  lambda: LambdaFunction,
  service: Service,
  event: APIGatewayProxyEventV2,
): Promise<LambdaResponse> => {
  const late = once(AbortSignal.timeout(service.timeoutSeconds * 1000), 'abort').then(() => timeout);
  const returned = await Promise.race([lambda(event, createContext(service)), late]);
  if (returned === timeout) throw new Error(`no response within ${service.timeoutSeconds} s`);
  // Lambda carries the response as JSON.
  const parsed = ResponseSchema.safeParse(JSON.parse(JSON.stringify(returned ?? null)));
  if (parsed.success) return parsed.data;
  throw new Error(`invalid response: ${z.prettifyError(parsed.error)}`);
};
