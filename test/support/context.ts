import type { Context } from 'aws-lambda';

/** What Lambda hands over beside the event. */
export const aContext = (remainingMs: number): Context => ({
  callbackWaitsForEmptyEventLoop: true,
  functionName: 'updateFile',
  functionVersion: '$LATEST',
  invokedFunctionArn: 'arn:aws:lambda:local-1:000000000000:function:updateFile',
  memoryLimitInMB: '512',
  awsRequestId: 'lambda-1',
  logGroupName: '/aws/lambda/updateFile',
  logStreamName: 'local',
  getRemainingTimeInMillis: () => remainingMs,
  done: () => undefined,
  fail: () => undefined,
  succeed: () => undefined,
});
