import { randomUUID } from 'node:crypto';
import type { Context } from 'aws-lambda';
import type { Service } from '#local/service/service.ts';

/** The context Lambda hands to one invocation. Its time starts to run now. */
export const createContext = ({ timeoutSeconds, memoryMegabytes }: Service): Context => {
  const functionName = 'space-files-dev-updateFile';
  const end = performance.now() + timeoutSeconds * 1000;
  const unavailable = () => {
    throw new Error('Node 24 on Lambda takes the answer from the promise alone');
  };
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
