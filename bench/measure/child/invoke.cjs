'use strict';
/** One invocation as Lambda's runtime client makes it: the event arrives as text, the answer leaves as text. */

const context = {
  awsRequestId: '6f1f5a3e-5a0b-4b8e-9a53-8d2f0a6f2c11',
  callbackWaitsForEmptyEventLoop: true,
  functionName: 'space-files-bench',
  functionVersion: '$LATEST',
  invokedFunctionArn: 'arn:aws:lambda:us-east-1:123456789012:function:space-files-bench',
  memoryLimitInMB: '512',
  logGroupName: '/aws/lambda/space-files-bench',
  logStreamName: '2026/01/01/[$LATEST]bench',
  getRemainingTimeInMillis: () => 10_000,
};

/** Throws for every answer that is not 200: its time would be the time of something else. */
exports.invoke = async (handler, event) => {
  const answer = await handler(JSON.parse(event), context);
  const text = JSON.stringify(answer);
  if (answer?.statusCode !== 200) throw new Error(`not 200 but ${text}`);
  return text;
};
