// An alarm that is wrong is silent, and a mail that is wrong sends somebody to the wrong place. So each mail of monitoring.yml
// says what its own alarm counts and when it fires, each metric that is read is written, and each alarm reaches somebody. Which
// number is right, monitoring.yml alone says.
import { expect, test } from 'vitest';
import { expectNone, expectSentence } from '#test/support/pages.ts';
import { errors } from '#test/support/responses.ts';
import { inWords, propertiesOf, stage, template } from '#test/support/stack.ts';

const namespace = `\${self:service}/\${sls:stage}`;
const filters = propertiesOf('AWS::Logs::MetricFilter').map(
  ({ LogGroupName: log, FilterPattern: pattern, MetricTransformations: [{ MetricName, ...metric }] }) => ({
    name: `${MetricName}`,
    isOfFunction: log.Ref === 'FunctionsLogGroup',
    pattern: `${pattern}`,
    metric: { DefaultValue: 0, ...metric },
  }),
);
// An id as a dimension would make a metric for each caller. The ids in a line of the function are texts of a caller: no text is
// compared there, and the word outcome is in each such line. API Gateway alone writes the access log.
test.each(filters)('$name counts lines or adds up a field, and no caller can fake it', (filter) => {
  const [, MetricValue = '1'] = /^{ (\$\.\w+) > 0 }$/.exec(filter.pattern) ?? [];
  expect(filter.metric).toEqual({ MetricNamespace: namespace, MetricValue, Unit: 'Count', DefaultValue: 0 });
  const form = filter.isOfFunction ? /^(?:{ [^"]+ }|"[^"]+" -outcome)$/ : /^{ \$\.\w+ = "\d+" }$/;
  expect(filter.pattern).toMatch(form);
});

/** The statuses that a filter counts, as a mail lists them. */
const statusesOf = (name: string) => {
  const statuses = filters.find((filter) => filter.name === name)?.pattern.match(/\b\d{3}\b/g) ?? [];
  return statuses.join(', ').replace(/, (?=\d+$)/, ' or ');
};
test('the metrics of an error count its status', () => {
  expect(statusesOf('InvalidApiKeys')).toBe(`${errors['api-key-invalid'].status}`);
  expect(statusesOf('InternalErrors')).toBe(`${errors['internal-error'].status}`);
});

const api = '[{"Name":"ApiId","Value":{"Ref":"HttpApi"}},{"Name":"Stage","Value":"$default"}]';
const updateFile = '[{"Name":"FunctionName","Value":{"Ref":"UpdateFileLambdaFunction"}}]';
const toMetric = (Namespace: string, MetricName: string, dimensions?: string) =>
  JSON.stringify({ Namespace, MetricName, Dimensions: dimensions && JSON.parse(dimensions) });
/** Each metric that an alarm can read, and what its mail says then. AWS has no other of these names and dimensions. */
const words = new Map([
  [toMetric('AWS/ApiGateway', '5xx', api), 'got a 5xx response'],
  [toMetric('AWS/ApiGateway', 'Latency', api), '1 % of requests took longer'],
  [toMetric('AWS/ApiGateway', 'Count', api), 'of the requests'],
  [toMetric('AWS/Lambda', 'Invocations', updateFile), 'of the '],
  [toMetric('AWS/Lambda', 'Errors', updateFile), 'without a response'],
  [toMetric('AWS/Lambda', 'Throttles', updateFile), 'Lambda rejected more'],
  [toMetric('AWS/Lambda', 'ConcurrentExecutions', updateFile), 'or of reservedConcurrency'],
  [toMetric('AWS/Lambda', 'ConcurrentExecutions'), 'of the quota of the account'],
  [toMetric('AWS/Lambda', 'ClaimedAccountConcurrency'), 'of the concurrency was in use or reserved'],
  [toMetric(namespace, 'ThrottledRequests'), `got ${statusesOf('ThrottledRequests')},`],
  [toMetric(namespace, 'ClientErrors'), `got ${statusesOf('ClientErrors')},`],
  [toMetric(namespace, 'InvalidApiKeys'), 'had no valid API key'],
  [toMetric(namespace, 'InternalErrors'), 'ended with internal-error'],
]);
const share = (id: string) => `IF(FILL(${id}, 0) >= N, 100 * FILL(${id}, 0) / requests, 0)`;
/** What an alarm compares with its threshold, with N for the number of its mail. A count of 0 can be missing, so it is filled. */
const rules = [
  ...['failures', 'errors', 'throttles', 'rejected'].map(share),
  // With IF, a minute would be 0 until its requests are counted, so the OK of api-outage would come too early.
  '100 * (FILL(failures, 0) >= N) * FILL(failures, 0) / requests',
  'IF(FILL(errors, 0) + FILL(internal, 0) > N, 100 * (FILL(errors, 0) + FILL(internal, 0) - N) / requests, 0)',
  // Invocations do not contain what was throttled, and are missing if all was.
  'IF(FILL(throttles, 0) >= N, 100 * FILL(throttles, 0) / (FILL(throttles, 0) + FILL(requests, 0)), 0)',
  `{"Fn::If":["SharesConcurrency","100 * used / SERVICE_QUOTA(executions)",{"Fn::Sub":"100 * used / \${ReservedConcurrency}"}]}`,
];

const toTopic = [{ 'Fn::If': ['CreatesTopic', { Ref: 'AlarmTopic' }, { Ref: 'AlarmTopicArn' }] }];
const alarms = propertiesOf('AWS::CloudWatch::Alarm').map((alarm) => {
  const { AlarmName, AlarmDescription: mail, Metrics, Namespace, MetricName, Dimensions, ...others } = alarm;
  const { Period, ExtendedStatistic: Stat, ...shape } = others;
  const watched = JSON.stringify({
    Metrics,
    Metric: MetricName && { Namespace, MetricName, Dimensions },
    Period,
    Stat,
  });
  return { name: `${AlarmName}`.replace(`${stage}-`, ''), mail: `${mail}`, watched, shape };
});

test.each(alarms)('the mail of $name says what it counts', ({ name, mail, watched }) => {
  const metrics = [...words].filter(([metric]) => watched.includes(metric));
  // A list of statuses ends with a comma, or with its sentence.
  const unsaid = metrics.flatMap(([, said]) => (mail.replaceAll('. ', ', ').includes(said) ? [] : [said]));
  expectNone(unsaid, `monitoring.yml: the mail of ${name} lacks`);
  const others = metrics.reduce((rest, [metric]) => rest.replaceAll(metric, ''), watched);
  expect(others, 'a metric that nobody writes').not.toContain('MetricName');
  if (watched.includes('requests')) expect(watched).toMatch(/"requests",.{0,90}"(?:Count|Invocations)"/);
  const statistic = watched.includes('Latency') ? 'p99' : watched.includes('used') ? 'Maximum' : 'Sum';
  expect(new Set(watched.match(/(?<="Stat":")[^"]+/g))).toEqual(new Set([statistic]));
  const codes: readonly string[] = mail.replace(/What to do.*/, '').match(/\b[a-z]+(?:-[a-z]+)+\b/g) ?? [];
  const unknown = codes.filter((code) => !(code in errors));
  expectNone(unknown, 'lib/domain/errors.ts has no error');
});

// It must reach somebody. Without requests, nothing is measured.
test.each(alarms)(
  '$name fires when its mail says so, and reaches somebody',
  ({ name, mail, watched, shape }) => {
    const { Threshold, EvaluationPeriods, DatapointsToAlarm, ...others } = shape;
    expect(others).toEqual({
      AlarmActions: toTopic,
      ...(mail.includes('A mail with OK') && { OKActions: toTopic }),
      ComparisonOperator: 'GreaterThanThreshold',
      TreatMissingData: 'notBreaching',
    });
    const [, number] = /(?:at least|after the first) (\d+)/.exec(mail) ?? [];
    for (const { Expression } of JSON.parse(watched).Metrics?.slice(0, 1) ?? []) {
      const rule = typeof Expression === 'string' ? Expression : JSON.stringify(Expression);
      expect(rules, mail).toContain(rule.replaceAll(new RegExp(`(?<=[>=-] )${number}\\b`, 'g'), 'N'));
    }
    const [period = 0, ...more] = [...new Set(watched.match(/(?<="Period":)\d+/g))].map(Number);
    expect(more, 'each metric of an alarm has its period').toEqual([]);
    const length = period === 60 ? 'a minute' : period === 3600 ? 'an hour' : `${period / 60} minutes`;
    const last = DatapointsToAlarm < EvaluationPeriods ? `of the last ${inWords(EvaluationPeriods)} ` : '';
    // An alarm with OK can wait for more periods before it ends.
    const isOne = DatapointsToAlarm === 1 && (EvaluationPeriods === 1 || shape.OKActions);
    const limit = Threshold === 50 ? 'more than half' : `more than ${Threshold} %`;
    const needed = [
      watched.includes('Latency') ? `longer than ${Threshold / 1000} s` : limit,
      isOne ? `the requests of ${length}` : `in ${inWords(DatapointsToAlarm)} ${last}periods of ${length}`,
      ...(shape.OKActions ? [`the last ${inWords(EvaluationPeriods)} minutes with requests were`] : []),
    ];
    const missing = needed.filter((part) => !mail.toLowerCase().includes(part));
    expectNone(missing, `monitoring.yml: the mail of ${name} lacks`);
  },
);

// Without a link of this chain, each alarm fires, and nobody hears of it.
test('the topic mails what it gets to the address of the params, and CloudWatch may use its key', () => {
  const { AlarmTopic, AlarmMail, AlarmKey } = template.Resources;
  const ofTopic = { TopicName: `${stage}-alarms`, KmsMasterKeyId: { Ref: 'AlarmKey' } };
  expect(AlarmTopic).toMatchObject({ Condition: 'CreatesTopic', Properties: ofTopic });
  const ofMail = { TopicArn: { Ref: 'AlarmTopic' }, Protocol: 'email', Endpoint: { Ref: 'AlarmEmail' } };
  expect(AlarmMail).toMatchObject({ Condition: 'SendsMail', Properties: ofMail });
  expect(AlarmKey).toMatchObject({ Condition: 'CreatesTopic', Properties: { EnableKeyRotation: true } });
  const root = { AWS: { 'Fn::Sub': `arn:\${AWS::Partition}:iam::\${AWS::AccountId}:root` } };
  const ofThisAccount = { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } };
  const cloudWatch = { Principal: { Service: 'cloudwatch.amazonaws.com' }, Condition: ofThisAccount };
  const allow = { Effect: 'Allow', Resource: '*' };
  expect(AlarmKey?.Properties.KeyPolicy.Statement).toEqual([
    { ...allow, Principal: root, Action: 'kms:*' },
    { ...allow, ...cloudWatch, Action: ['kms:Decrypt', 'kms:GenerateDataKey'] },
  ]);
});

test('the dashboard shows metrics that somebody writes, and somebody reads each metric of a log', () => {
  const [body = ''] = template.Resources.Dashboard?.Properties.DashboardBody['Fn::Sub'] ?? [];
  const shown: string[] = [...body.matchAll(/\["[^"]+", "(\w+)"/g)].map(([, name]) => name);
  const ofTables = ['ReadThrottleEvents', 'WriteThrottleEvents', 'SystemErrors', 'SuccessfulRequestLatency'];
  const ofAlarms = [...words.keys()].map((metric) => JSON.parse(metric).MetricName);
  const ours = filters.map(({ name }) => name);
  const known = [...ofAlarms, ...ours, '4xx', ...ofTables];
  const unwritten = shown.filter((name) => !known.includes(name));
  expectNone(unwritten, 'monitoring.yml: nobody writes what the dashboard shows');
  const watched = alarms.map((alarm) => alarm.watched).join();
  const unread = ours.filter((name) => !shown.includes(name) && !watched.includes(`"${name}"`));
  expectNone(unread, 'monitoring.yml: no alarm and no dashboard reads');
  expect(body).not.toMatch(/"region": "(?!\${AWS::Region})/);
  const [, label] = /ConcurrencyInPercent}", "label": "(.+?)"/.exec(body) ?? [];
  expectSentence('docs/deploy.md', `It must have the line \`${label}\``);
});
