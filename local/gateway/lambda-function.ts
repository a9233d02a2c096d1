import { createRequire } from 'node:module';
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

/** Loads the built bundle. One that cannot be loaded fails on every call, as on Lambda, and not before. */
export const loadFunction = (file: string = bundleFile): LambdaFunction => {
  try {
    const loaded = ModuleSchema.safeParse(createRequire(import.meta.url)(file));
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
