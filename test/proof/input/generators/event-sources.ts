import { pick } from '#test/proof/support/random.ts';
import { anEvent, aRestEvent } from '#test/support/event.ts';
import { answer, generators } from '../support/generator.ts';
import { word } from '../support/text.ts';

const services: Readonly<Record<string, (random: () => number) => unknown>> = {
  'a warm-up ping': (random) =>
    pick<unknown>(random, [
      { source: 'serverless-plugin-warmup' },
      { warmer: true, concurrency: 3 },
      'ping',
      '',
    ]),
  SQS: (random) => ({
    Records: [{ messageId: word(random), body: '{"summary":"a"}', eventSource: 'aws:sqs' }],
  }),
  SNS: (random) => ({ Records: [{ EventSource: 'aws:sns', Sns: { Message: word(random) } }] }),
  S3: (random) => ({ Records: [{ eventSource: 'aws:s3', s3: { object: { key: word(random) } } }] }),
  Kinesis: () => ({ Records: [{ kinesis: { data: 'e30=' }, eventSource: 'aws:kinesis' }] }),
  EventBridge: (random) => ({ version: '0', source: 'aws.events', 'detail-type': word(random), detail: {} }),
  AppSync: (random) => ({
    info: { fieldName: 'updateFile' },
    arguments: { fileId: word(random) },
    identity: null,
  }),
  'a load balancer': () => {
    const { headers, body } = aRestEvent();
    return {
      requestContext: { elb: {} },
      httpMethod: 'POST',
      path: '/',
      headers,
      body,
      isBase64Encoded: false,
    };
  },
  'a WebSocket': (random) => ({
    requestContext: { routeKey: '$default', connectionId: word(random) },
    body: '{}',
  }),
  Cognito: () => ({ version: '1', triggerSource: 'PreSignUp_SignUp', request: {}, response: {} }),
  'a Step Function': () => ({ Payload: anEvent(), ExecutedVersion: '$LATEST' }),
};

/** Events of everything else that may call a function. */
export const eventSourceGenerators = generators(
  'event of',
  Object.fromEntries(
    Object.entries(services).map(([name, make]) => [
      name,
      ({ random }) => ({ event: { value: make(random) }, expected: [answer.userMissing] }),
    ]),
  ),
);
