import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { startGateway } from '#tools/dev-server/gateway.ts';
import type { LambdaFunction } from '#tools/dev-server/lambda.ts';

/** The gateway of `npm start` with a function of the test. Records the calls of the function and the reports. */
export const startStubGateway = async (lambda: LambdaFunction) => {
  const calls: { event: APIGatewayProxyEventV2; context: Context }[] = [];
  const reports: string[] = [];
  const recording: LambdaFunction = (event, context) => {
    calls.push({ event, context });
    return lambda(event, context);
  };
  const report = (line: string) => void reports.push(line);
  const { port, close } = await startGateway({ lambda: recording, report });
  return { port, close, calls, reports, url: `http://localhost:${port}` };
};
