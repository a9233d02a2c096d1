// An alarm that is wrong is silent, and a mail that is wrong sends somebody to the wrong place. So each alarm has a row here:
// how its mail begins, what it compares, and which metrics it reads. The numbers are those of the alarm itself: which ones are
// right, monitoring.yml alone says. A row repeats the expression and its metrics, because a mistake there cannot be seen in
// the alarm alone: an outage alarm that divides by the invocations is silent while Lambda rejects each of them.
import { expect, test } from 'vitest';
import { expectNone, expectSentence } from '#test/support/pages.ts';
import { errors } from '#test/support/responses.ts';
import {
  alarms,
  dashboard,
  dashboardValues,
  inWords,
  param,
  propertiesOf,
  readWidgets,
  stage,
  template,
} from '#test/support/stack.ts';

const namespace = `\${self:service}/\${sls:stage}`;
const filters = propertiesOf('AWS::Logs::MetricFilter').map(
  ({ LogGroupName: log, FilterPattern: pattern, MetricTransformations: [{ MetricName, ...metric }] }) => ({
    name: `${MetricName}`,
    isOfFunction: log.Ref === 'FunctionsLogGroup',
    pattern: `${pattern}`,
    metric,
  }),
);
// An id as a dimension would make a metric for each caller. The ids in a line of the function are texts of a caller: no text is
// compared there, and the word outcome is in each such line. API Gateway alone writes the access log.
test.each(filters)('$name counts lines or adds up a field, and no caller can fake it', (filter) => {
  const [, MetricValue = '1'] = /^{ (\$\.\w+) > 0 }$/.exec(filter.pattern) ?? [];
  const counts = { MetricNamespace: namespace, MetricValue, Unit: 'Count', DefaultValue: 0 };
  expect({ DefaultValue: 0, ...filter.metric }).toEqual(counts);
  const form = filter.isOfFunction ? /^(?:{ [^"]+ }|"[^"]+" -outcome)$/ : /^{ \$\.\w+ = "\d+" }$/;
  expect(filter.pattern).toMatch(form);
});

// lambda-errors adds it to Lambda's own errors. Without a value, the sum could be missing: no alarm for a function that crashes.
test('InternalErrors counts 0 where nothing failed', () => {
  const { metric } = filters.find(({ name }) => name === 'InternalErrors') ?? expect.unreachable();
  expect(metric).toHaveProperty('DefaultValue', 0);
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

// AWS has no other metrics of these names and dimensions ("Working with metrics for HTTP APIs", "Types of metrics for Lambda
// functions"). An alarm on another name never fires.
const ofApi = (MetricName: string) => ({
  Namespace: 'AWS/ApiGateway',
  MetricName,
  Dimensions: [
    { Name: 'ApiId', Value: { Ref: 'HttpApi' } },
    { Name: 'Stage', Value: '$default' },
  ],
});
const ofAccount = (MetricName: string) => ({ Namespace: 'AWS/Lambda', MetricName });
const ofFunction = (MetricName: string) => ({
  ...ofAccount(MetricName),
  Dimensions: [{ Name: 'FunctionName', Value: { Ref: 'UpdateFileLambdaFunction' } }],
});
const ofLog = (MetricName: string) => ({ Namespace: namespace, MetricName });
const ifShared = (shared: unknown, reserved: unknown) => ({
  'Fn::If': ['SharesConcurrency', shared, reserved],
});
const concurrency = ifShared('100 * used / SERVICE_QUOTA(executions)', {
  'Fn::Sub': `100 * used / \${ReservedConcurrency}`,
});
const topic = [{ 'Fn::If': ['CreatesTopic', { Ref: 'AlarmTopic' }, { Ref: 'AlarmTopicArn' }] }];

type Alarm = (typeof alarms)[number]['alarm'];
/** In seconds. All metrics of an alarm have the same one. */
const periodOf = ({ Metrics: [, first] = [], Period }: Alarm): number => first?.MetricStat?.Period ?? Period;
/** What an alarm itself has, in the words of a mail. */
const ownOf = (alarm: Alarm) => {
  const { Threshold, EvaluationPeriods, DatapointsToAlarm, Metrics: [percent] = [] } = alarm;
  const seconds = periodOf(alarm);
  const period = { 60: 'a minute', 3600: 'an hour' }[seconds] ?? `${seconds / 60} minutes`;
  const evaluated = inWords(EvaluationPeriods);
  const ofLast = DatapointsToAlarm < EvaluationPeriods ? `of the last ${evaluated} ` : '';
  return {
    threshold: Number(Threshold),
    limit: Threshold === 50 ? 'half' : `${Threshold} %`,
    /** How many events it needs at least. */
    least: `${/>=? (\d+)/.exec(percent?.Expression)?.[1]}`,
    period,
    periods: `${inWords(DatapointsToAlarm)} ${ofLast}periods of ${period}`,
    evaluated,
  };
};
type Own = ReturnType<typeof ownOf>;

/** A share of the requests in percent. A count of 0 can be missing, so it is filled. */
const share = (id: string, least: string) =>
  `IF(FILL(${id}, 0) >= ${least}, 100 * FILL(${id}, 0) / requests, 0)`;
const ofRequests = ({ limit, least }: Own) =>
  `More than ${limit} of the requests, and at least ${least} of them,`;
const failures = { requests: ofApi('Count'), failures: ofApi('5xx') };
const maximum = (Id: string, Metric: object) => ({
  Id,
  ReturnData: false,
  MetricStat: { Metric, Period: 300, Stat: 'Maximum' },
});
type Row = {
  /** How its mail begins. */
  readonly says: string;
  /** What it compares with its threshold, and the metrics by their ids in that. */
  readonly compares?: string;
  readonly reads?: Readonly<Record<string, object>>;
  /** What else it has. */
  readonly more?: object;
};
const rows: Readonly<Record<string, (own: Own) => Row>> = {
  'api-outage': ({ limit, least, period, evaluated }) => ({
    says: `More than ${limit} of the requests of ${period}, and at least ${least} of them, got a 5xx response. A mail with OK means that the last ${evaluated} minutes with requests were without this`,
    // With IF, a minute would be 0 until its requests are counted, so the mail with OK would come too early.
    compares: `100 * (FILL(failures, 0) >= ${least}) * FILL(failures, 0) / requests`,
    reads: failures,
    more: { OKActions: topic, DatapointsToAlarm: 1 },
  }),
  'api-5xx-rate': (own) => ({
    says: `${ofRequests(own)} got a 5xx response in ${own.periods}`,
    compares: share('failures', own.least),
    reads: failures,
  }),
  'api-5xx-hour': ({ limit, least, period }) => ({
    says: `More than ${limit} of the requests of ${period}, and at least ${least} of them, got a 5xx response`,
    compares: share('failures', least),
    reads: failures,
    more: { EvaluationPeriods: 1, DatapointsToAlarm: 1 },
  }),
  'api-4xx-rate': (own) => ({
    says: `${ofRequests(own)} got ${statusesOf('ClientErrors')}, in ${own.periods} in a row`,
    compares: share('errors', own.least),
    reads: { requests: ofFunction('Invocations'), errors: ofLog('ClientErrors') },
  }),
  'api-throttles': (own) => ({
    says: `${ofRequests(own)} got ${statusesOf('ThrottledRequests')}, in ${own.periods} in a row`,
    compares: share('throttles', own.least),
    reads: { requests: ofApi('Count'), throttles: ofLog('ThrottledRequests') },
  }),
  'api-p99-latency': ({ threshold, periods }) => ({
    says: `1 % of requests took longer than ${threshold / 1000} s, in ${periods} with requests`,
    more: { ...ofApi('Latency'), ExtendedStatistic: 'p99', Period: 300 },
  }),
  'lambda-errors': ({ limit, least, periods }) => ({
    says: `More than ${limit} of the invocations, after the first ${least} failures, ended with internal-error or without a response, in ${periods}`,
    compares: `IF(FILL(errors, 0) + FILL(internal, 0) > ${least}, 100 * (FILL(errors, 0) + FILL(internal, 0) - ${least}) / requests, 0)`,
    reads: {
      requests: ofFunction('Invocations'),
      internal: ofLog('InternalErrors'),
      errors: ofFunction('Errors'),
    },
  }),
  'lambda-throttles': ({ limit, least, periods }) => ({
    says: `Lambda rejected more than ${limit} of the invocations, and at least ${least} of them, in ${periods}`,
    // Invocations do not contain what was throttled, and are missing if all was.
    compares: `IF(FILL(throttles, 0) >= ${least}, 100 * FILL(throttles, 0) / (FILL(throttles, 0) + FILL(requests, 0)), 0)`,
    reads: { requests: ofFunction('Invocations'), throttles: ofFunction('Throttles') },
  }),
  'lambda-concurrency': ({ limit, periods }) => ({
    says: `More than ${limit} of the concurrency was in use or reserved, in ${periods} with requests: of the quota of the account, or of reservedConcurrency`,
    more: {
      Metrics: [
        { Id: 'percent', Label: expect.any(String), Expression: concurrency },
        maximum('used', ifShared(ofAccount('ClaimedAccountConcurrency'), ofFunction('ConcurrentExecutions'))),
        ifShared(maximum('executions', ofAccount('ConcurrentExecutions')), { Ref: 'AWS::NoValue' }),
      ],
    },
  }),
  'invalid-api-keys': (own) => ({
    says: `${ofRequests(own)} had no valid API key, in ${own.periods} in a row`,
    compares: share('rejected', own.least),
    reads: { requests: ofFunction('Invocations'), rejected: ofLog('InvalidApiKeys') },
  }),
};

test('each row of this file is of an alarm of monitoring.yml', () => {
  const ofNone = Object.keys(rows).filter((row) => !alarms.some(({ name }) => name === row));
  expectNone(ofNone, 'monitoring.yml has no alarm');
});

test.each(alarms)('$name compares what its mail says, and reaches somebody', ({ name, mail, alarm }) => {
  const rowOf = rows[name] ?? expect.fail(`test/documents/monitoring.test.ts: add a row for ${name}`);
  const { says, compares, reads = {}, more } = rowOf(ownOf(alarm));
  if (!mail.startsWith(says)) throw new Error(`monitoring.yml: the mail of ${name} must begin with: ${says}`);

  const { AlarmName: _, AlarmDescription: __, ...found } = alarm;
  const { Threshold, EvaluationPeriods, DatapointsToAlarm } = found;
  const metrics = Object.entries(reads).map(([Id, Metric]) => ({
    Id,
    ReturnData: false,
    MetricStat: { Metric, Period: periodOf(alarm), Stat: 'Sum' },
  }));
  expect(found, `monitoring.yml: ${name} is not what its row says`).toStrictEqual({
    Threshold,
    EvaluationPeriods,
    DatapointsToAlarm,
    ComparisonOperator: 'GreaterThanThreshold',
    // Without requests, nothing is measured.
    TreatMissingData: 'notBreaching',
    AlarmActions: topic,
    ...(compares && {
      Metrics: [{ Id: 'percent', Label: expect.any(String), Expression: compares }, ...metrics],
    }),
    ...more,
  });
});

test('each code of an error that a mail names exists', () => {
  const named = alarms.flatMap(
    ({ mail }) => mail.replace(/What to do.*/, '').match(/\b[a-z]+(?:-[a-z]+)+\b/g) ?? [],
  );
  expectNone(
    named.filter((code) => !(code in errors)),
    'monitoring.yml: lib/domain/errors.ts has no error',
  );
});

// Without a link of this chain, each alarm fires, and nobody hears of it.
test('the topic mails what it gets to the address of the params, and CloudWatch may use its key', () => {
  const { AlarmTopic, AlarmMail, AlarmKey } = template.Resources;
  expect(AlarmTopic).toEqual({
    Type: 'AWS::SNS::Topic',
    Condition: 'CreatesTopic',
    Properties: { TopicName: `${stage}-alarms`, KmsMasterKeyId: { Ref: 'AlarmKey' } },
  });
  // With a filter, it would leave mails out.
  expect(AlarmMail).toEqual({
    Type: 'AWS::SNS::Subscription',
    Condition: 'SendsMail',
    Properties: { TopicArn: { Ref: 'AlarmTopic' }, Protocol: 'email', Endpoint: { Ref: 'AlarmEmail' } },
  });
  const root = { AWS: { 'Fn::Sub': `arn:\${AWS::Partition}:iam::\${AWS::AccountId}:root` } };
  const ofThisAccount = { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } };
  const cloudWatch = { Principal: { Service: 'cloudwatch.amazonaws.com' }, Condition: ofThisAccount };
  const allow = { Effect: 'Allow', Resource: '*' };
  const Statement = [
    { ...allow, Principal: root, Action: 'kms:*' },
    { ...allow, ...cloudWatch, Action: ['kms:Decrypt', 'kms:GenerateDataKey'] },
  ];
  expect(AlarmKey).toEqual({
    Type: 'AWS::KMS::Key',
    Condition: 'CreatesTopic',
    Properties: {
      Description: expect.any(String),
      EnableKeyRotation: true,
      KeyPolicy: { Version: '2012-10-17', Statement },
    },
  });
});

/** Each metric of a widget as one text. A dot stands for what the metric before it has in this place. */
const metricsOf = (metrics: readonly (readonly unknown[])[] = []): readonly string[] => {
  let before: readonly unknown[] = [];
  return metrics.map((metric) => {
    before = metric.map((part, at) => (part === '.' ? before[at] : part));
    return before.filter((part) => typeof part === 'string').join(' ');
  });
};
const named = (of: string, names: string, dimensions = '') =>
  names.split(' ').map((name) => `${of} ${name} ${dimensions}`.trim());
const ofTable = (table: string, throttles: string, call: string) => [
  ...named('AWS/DynamoDB', throttles, `TableName ${param(table)}`),
  ...named(
    'AWS/DynamoDB',
    'SystemErrors SuccessfulRequestLatency',
    `TableName ${param(table)} Operation ${call}`,
  ),
];
const written = [
  ...named('AWS/ApiGateway', 'Count 4xx 5xx Latency', `ApiId \${HttpApi} Stage $default`),
  ...named(
    'AWS/Lambda',
    'Errors Throttles ConcurrentExecutions',
    `FunctionName \${UpdateFileLambdaFunction}`,
  ),
  ...named('AWS/Lambda', 'ConcurrentExecutions ClaimedAccountConcurrency'),
  // By the two calls of a request.
  ...ofTable('apiKeysTable', 'ReadThrottleEvents', 'BatchGetItem'),
  ...ofTable('spacesTable', 'ReadThrottleEvents', 'BatchGetItem'),
  ...ofTable('filesTable', 'WriteThrottleEvents', 'UpdateItem'),
  ...filters.flatMap(({ name }) => named(namespace, name)),
];
/** The metrics of the widgets. An expression has no name. */
const readShown = () =>
  readWidgets()
    .flatMap(({ metrics }) => metricsOf(metrics))
    .filter((metric) => metric !== '');
test('the dashboard shows what somebody writes', () => {
  const unknown = readShown().filter((metric) => !written.includes(metric));
  expectNone(unknown, 'monitoring.yml: nobody writes what the dashboard shows');
  expect(new Set(readWidgets().map(({ region }) => region))).toEqual(new Set([`\${AWS::Region}`]));
});

test('somebody reads each metric of a log', () => {
  const compared = alarms.flatMap(({ alarm: { Metrics = [] } }) =>
    Metrics.map(({ MetricStat }: (typeof Metrics)[number]) => Object(MetricStat).Metric),
  );
  const shown = dashboard === '' ? [] : readShown();
  const read = [...shown, ...compared.map((one) => `${one?.Namespace} ${one?.MetricName}`)];
  const unread = filters.filter(({ name }) => !read.includes(`${namespace} ${name}`));
  const names = unread.map(({ name }) => name);
  expectNone(names, 'monitoring.yml: no alarm and no dashboard reads');
});

test('the dashboard shows the concurrency that its alarm compares', () => {
  const parts = readWidgets().flatMap(({ metrics = [] }) => metrics.flat().map(Object));
  // The alarm calls it `used`.
  expect(dashboardValues).toEqual({
    FunctionId: ifShared('ofFunction', 'used'),
    AccountId: ifShared('used', 'ofAccount'),
    ConcurrencyInPercent: concurrency,
  });
  const { label } = parts.find(({ expression }) => expression === `\${ConcurrencyInPercent}`) ?? {};
  expectSentence('docs/deploy.md', `It must have the line \`${label}\``);
});
