import { createRequire } from 'node:module';
import type { Writable } from 'node:stream';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import * as z from 'zod';
import { reasonOf } from '#local/complaint.ts';
import { bundleFile } from '#local/project.ts';
import type { Service } from '#local/service/service.ts';
import { type LambdaAnswer, toLambdaAnswer } from './lambda-answer.ts';
import { createContext } from './lambda-context.ts';

/** The function as Lambda calls it. */
export type LambdaFunction = (event: APIGatewayProxyEventV2, context: Context) => unknown;

const ModuleSchema = z.object({
  handler: z.custom<LambdaFunction>((value) => typeof value === 'function'),
});

/** Runs an action that finds another stdout; the bundle takes the one it is loaded with. */
const withStdout = <Result>(stdout: Writable, action: () => Result): Result => {
  const own = Object.getOwnPropertyDescriptor(process, 'stdout') ?? {};
  Object.defineProperty(process, 'stdout', { value: stdout, configurable: true });
  try {
    return action();
  } finally {
    Object.defineProperty(process, 'stdout', own);
  }
};

/**
 * Loads the built bundle. One that cannot be loaded fails on every call, as on Lambda, and not before.
 *
 * @param stdout where its log goes
 */
export const loadFunction = (
  file: string = bundleFile,
  stdout: Writable = process.stdout,
): LambdaFunction => {
  try {
    const load = () => createRequire(import.meta.url)(file);
    const loaded = ModuleSchema.safeParse(withStdout(stdout, load));
    if (!loaded.success) throw new Error('it exports no handler function');
    return loaded.data.handler;
  } catch (error) {
    const problem = `the bundle cannot be loaded: ${reasonOf(error)}`;
    return () => {
      throw new Error(problem, { cause: error });
    };
  }
};

/** Calls the function for as long as serverless.yml gives it. Rejects when it throws, is late or answers nonsense. */
export const callFunction = async (
  { lambda, service }: { lambda: LambdaFunction; service: Service },
  event: APIGatewayProxyEventV2,
): Promise<LambdaAnswer> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const message = `no answer within ${service.timeoutSeconds} s`;
    timer = setTimeout(() => reject(new Error(message)), service.timeoutSeconds * 1000);
  });
  try {
    return toLambdaAnswer(await Promise.race([lambda(event, createContext(service)), late]));
  } finally {
    clearTimeout(timer);
  }
};
