import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { createGateway } from '#local/gateway/gateway.ts';
import type { LambdaFunction } from '#local/gateway/lambda-function.ts';
import { listen } from '#local/gateway/listen.ts';
import { readService } from '#local/service/service.ts';

/** A gateway in front of a function of the test's own, and what it was called with and complained of. */
export const startStubGateway = async (lambda: LambdaFunction, timeoutSeconds = 10) => {
  const calls: { event: APIGatewayProxyEventV2; context: Context }[] = [];
  const reports: string[] = [];
  const recording: LambdaFunction = (event, context) => {
    calls.push({ event, context });
    return lambda(event, context);
  };
  const service = { ...readService(), timeoutSeconds };
  const report = (line: string) => void reports.push(line);
  const { port, close } = await listen(() => createGateway({ lambda: recording, service, report }), 0);
  return { port, close, calls, reports, url: `http://localhost:${port}` };
};
