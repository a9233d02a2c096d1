// What the code and the pages rely on in serverless.yml and monitoring.yml, each with its reason, as whole objects: what is
// not here must not be there either. test/lanes/template has the rules about the package.
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { read } from '#test/support/pages.ts';

const { params, provider, functions } = parse(read('serverless.yml'), { merge: true });
const { Resources } = parse(read('monitoring.yml'), { merge: true });
const ofType = (type: string): Readonly<Record<string, unknown>>[] =>
  Object.values(Resources)
    .map(Object)
    .filter(({ Type }) => Type === type)
    .map(({ Type: _, ...resource }) => resource);

const stage = `\${self:service}-\${sls:stage}`;
const namespace = `\${self:service}/\${sls:stage}`;
const param = (name: string) => `\${param:${name}}`;

// docs/limits-and-cost.md, docs/security.md and docs/deploy.md tell the defaults. A stage of one's own relies on them.
test('serverless.yml has these params', () => {
  expect(params).toEqual({
    default: {
      throttlingRate: 200,
      throttlingBurst: 200,
      // README calls the API by its own address.
      disableDefaultEndpoint: 'false',
      reservedConcurrency: -1,
      tracing: 'PassThrough',
      codeCache: 'false',
      apiKeysTable: `${stage}-api-keys`,
      spacesTable: `${stage}-spaces`,
      filesTable: `${stage}-files`,
      createTables: 'true',
      tablesKeyArn: '',
      logRetentionInDays: 30,
      alarmEmail: '',
      alarmTopic: '',
      runbook: 'docs/operations.md',
      deletionProtection: 'true',
    },
    dev: { throttlingRate: 20, throttlingBurst: 40, logRetentionInDays: 7, deletionProtection: 'false' },
  });
});

test('serverless.yml has one function, and these settings of it and its API', () => {
  // test/lanes/template compares these in the package.
  const { environment: _, logs: _logs, ...settings } = provider;
  expect(settings).toEqual({
    name: 'aws',
    stage: `\${opt:stage, 'dev'}`,
    stackTags: {
      service: `\${self:service}`,
      stage: `\${sls:stage}`,
      commit: `\${self:provider.environment.COMMIT}`,
    },
    // lib/http/event.ts reads no other format of an HTTP API: each request would get 500.
    httpApi: { payload: '2.0', disableDefaultEndpoint: `\${strToBool(${param('disableDefaultEndpoint')})}` },
    logRetentionInDays: param('logRetentionInDays'),
    runtime: 'nodejs24.x',
    architecture: 'arm64',
    // The costs, and decision 008, are those of this size.
    memorySize: 512,
    // Longer than a request and its cold start, well below API Gateway's 30 s.
    timeout: 10,
    tracing: { lambda: param('tracing') },
    deploymentBucket: { blockPublicAccess: true, maxPreviousDeploymentArtifacts: 10 },
    versionFunctions: false,
    deletionProtection: `\${strToBool(${param('deletionProtection')})}`,
  });
  expect(functions).toEqual({
    updateFile: {
      handler: 'dist/update-file.handler',
      role: 'UpdateFileRole',
      disableLogs: true,
      events: [{ httpApi: 'PATCH /v1/spaces/{spaceId}/files/{fileId}' }],
    },
  });
});

/** A metric that counts lines of a log. It has no dimension: an id would create one metric per caller. */
const counts = (
  MetricName: string,
  FilterPattern: string,
  { log = 'FunctionsLogGroup', value = '1' } = {},
) => {
  const metric = { MetricNamespace: namespace, MetricName, MetricValue: value, Unit: 'Count' };
  return { LogGroupName: { Ref: log }, FilterPattern, MetricTransformations: [metric] };
};

// A caller chooses ids, which are texts in the line of the function. No such text is a field of the line, and the word
// outcome is in every one. API Gateway alone writes the access log.
test('the metrics of logs count these lines, which no caller can fake', () => {
  const internal = counts('InternalErrors', '{ $.status = 500 }');
  expect(ofType('AWS::Logs::MetricFilter').map(({ Properties }) => Properties)).toEqual([
    counts('ThrottledRequests', '{ $.status = "429" }', { log: 'HttpApiLogGroup' }),
    counts(
      'ClientErrors',
      '{ $.status = 400 || $.status = 401 || $.status = 403 || $.status = 404 || $.status = 415 }',
    ),
    // An alarm adds it to the errors of Lambda. If it had no data, the sum might have none either.
    {
      ...internal,
      MetricTransformations: internal.MetricTransformations.map((one) => ({ ...one, DefaultValue: 0 })),
    },
    counts('InvalidApiKeys', '{ $.status = 401 }'),
    counts('WriteConflicts', '{ $.conflicts > 0 }', { value: '$.conflicts' }),
    counts('DynamodbRetries', '{ $.retries > 0 }', { value: '$.retries' }),
    counts('Timeouts', '"Task timed out after" -outcome'),
    counts('ReportedTimeouts', '"Status: timeout" -outcome'),
  ]);
});

// The names and dimensions are in these guides of AWS: "Working with metrics for HTTP APIs" and "Types of metrics for Lambda
// functions". An alarm on another name never fires.
const apiDimensions = [
  { Name: 'ApiId', Value: { Ref: 'HttpApi' } },
  { Name: 'Stage', Value: '$default' },
];
const ofApi = (MetricName: string) => ({
  Namespace: 'AWS/ApiGateway',
  MetricName,
  Dimensions: apiDimensions,
});
const ofAccount = (MetricName: string) => ({ Namespace: 'AWS/Lambda', MetricName });
const ofFunction = (MetricName: string) => ({
  ...ofAccount(MetricName),
  Dimensions: [{ Name: 'FunctionName', Value: { Ref: 'UpdateFileLambdaFunction' } }],
});
const ofLog = (MetricName: string) => ({ Namespace: namespace, MetricName });

/** An expression over some metrics, by their ids. */
const watch = (
  Expression: unknown,
  metrics: Readonly<Record<string, object>>,
  Period = 300,
  Stat = 'Sum',
) => [
  { Id: 'percent', Label: expect.any(String), Expression },
  ...Object.entries(metrics).map(([Id, Metric]) => ({
    Id,
    ReturnData: false,
    MetricStat: { Metric, Period, Stat },
  })),
];
const topic = [{ 'Fn::If': ['CreatesTopic', { Ref: 'AlarmTopic' }, { Ref: 'AlarmTopicArn' }] }];
/** It must reach somebody, above a threshold, in so many of its last periods. Without requests, nothing is measured. */
const above = (Threshold: number, DatapointsToAlarm: number, EvaluationPeriods: number) => ({
  AlarmActions: topic,
  ComparisonOperator: 'GreaterThanThreshold',
  TreatMissingData: 'notBreaching',
  Threshold,
  DatapointsToAlarm,
  EvaluationPeriods,
});
/** A count of 0 may be missing, so it is filled. A period without requests stays missing. */
const share = (count: string, least: number) =>
  `IF(FILL(${count}, 0) >= ${least}, 100 * FILL(${count}, 0) / requests, 0)`;
const failures = { requests: ofApi('Count'), failures: ofApi('5xx') };
const errors = 'FILL(errors, 0) + FILL(internal, 0)';
const throttles = 'FILL(throttles, 0)';
const sharesConcurrency = (ofTheAccount: unknown, reserved: unknown) => ({
  'Fn::If': ['SharesConcurrency', ofTheAccount, reserved],
});
const concurrency = sharesConcurrency('100 * used / SERVICE_QUOTA(executions)', {
  'Fn::Sub': `100 * used / \${ReservedConcurrency}`,
});
const [percent, used, executions] = watch(
  concurrency,
  {
    used: sharesConcurrency(ofAccount('ClaimedAccountConcurrency'), ofFunction('ConcurrentExecutions')),
    executions: ofAccount('ConcurrentExecutions'),
  },
  300,
  'Maximum',
);

// Whoever changes a row changes when somebody is woken: say it in docs/operations.md too. An absolute number grows with the
// traffic: 1,000 healthy requests a second would keep its alarm on for ever. A short disturbance ends by itself.
const alarms: Readonly<Record<string, object>> = {
  // Of a total failure, somebody must hear at once, and hear that it has ended. As a factor in place of IF, the comparison
  // leaves a minute missing until its requests are counted. A 0 would send OK too early.
  'api-outage': {
    ...above(50, 1, 3),
    OKActions: topic,
    Metrics: watch('100 * (FILL(failures, 0) >= 5) * FILL(failures, 0) / requests', failures, 60),
  },
  'api-5xx-rate': { ...above(1, 2, 3), Metrics: watch(share('failures', 3), failures) },
  // With few requests, it takes an hour to see a total failure.
  'api-5xx-hour': { ...above(50, 1, 1), Metrics: watch(share('failures', 3), failures, 3600) },
  // Not the requests to the API: scanners send many to other paths.
  'api-4xx-rate': {
    ...above(10, 3, 3),
    Metrics: watch(share('errors', 10), {
      requests: ofFunction('Invocations'),
      errors: ofLog('ClientErrors'),
    }),
  },
  'api-throttles': {
    ...above(1, 2, 2),
    Metrics: watch(share('throttles', 100), {
      requests: ofApi('Count'),
      throttles: ofLog('ThrottledRequests'),
    }),
  },
  'api-p99-latency': { ...above(2000, 3, 3), ...ofApi('Latency'), ExtendedStatistic: 'p99', Period: 300 },
  // Without the first 5, a steady 0.05 % sends no mail. With a minimum number, it does at some rates, by chance.
  'lambda-errors': {
    ...above(0.1, 2, 3),
    Metrics: watch(`IF(${errors} > 5, 100 * (${errors} - 5) / requests, 0)`, {
      requests: ofFunction('Invocations'),
      internal: ofLog('InternalErrors'),
      errors: ofFunction('Errors'),
    }),
  },
  // Invocations do not contain what was throttled, and are missing if all was.
  'lambda-throttles': {
    ...above(0.1, 2, 3),
    Metrics: watch(`IF(${throttles} >= 3, 100 * ${throttles} / (${throttles} + FILL(requests, 0)), 0)`, {
      requests: ofFunction('Invocations'),
      throttles: ofFunction('Throttles'),
    }),
  },
  // A number in place of the quota is wrong in each account that has another one: above the quota, the alarm never fires.
  'lambda-concurrency': {
    ...above(80, 2, 2),
    Metrics: [percent, used, sharesConcurrency(executions, { Ref: 'AWS::NoValue' })],
  },
  'invalid-api-keys': {
    ...above(1, 2, 2),
    Metrics: watch(share('rejected', 100), {
      requests: ofFunction('Invocations'),
      rejected: ofLog('InvalidApiKeys'),
    }),
  },
};

test.each(Object.entries(alarms))('%s fires as its row in this file says', (name, row) => {
  const AlarmName = `${stage}-${name}`;
  const found = ofType('AWS::CloudWatch::Alarm').filter(
    ({ Properties }) => Object(Properties).AlarmName === AlarmName,
  );
  expect(found).toEqual([{ Properties: { AlarmName, AlarmDescription: expect.any(String), ...row } }]);
});

test('each alarm has a row in this file', () => {
  const names = ofType('AWS::CloudWatch::Alarm').map(({ Properties }) => Object(Properties).AlarmName);
  expect(names).toEqual(Object.keys(alarms).map((name) => `${stage}-${name}`));
});

const { DashboardBody } = Resources.Dashboard.Properties;
const [dashboard, dashboardValues] = DashboardBody['Fn::Sub'];
type Widget = { properties: { title: string; stat?: string; query?: string; metrics?: unknown[][] } };
/** A metric of a widget as one text. A dot stands for what the metric before it has in this place. */
const metricsOf = (metrics: readonly unknown[][]): string[] => {
  let previous: readonly unknown[] = [];
  return metrics.map((metric) => {
    previous = metric.map((part, index) => (part === '.' ? previous[index] : part));
    return previous.map((part) => (typeof part === 'string' ? part : JSON.stringify(part))).join(' ');
  });
};

// Each table has the call that the function makes to it. A timeout is counted once, whichever lines it leaves: Lambda writes a
// line of its own, the end of its REPORT line, or both.
test('the dashboard shows these metrics', () => {
  const { widgets }: { widgets: Widget[] } = JSON.parse(dashboard);
  const shown = widgets.map(({ properties: { title, stat, query, metrics = [] } }) => [
    title,
    stat ?? query,
    ...metricsOf(metrics),
  ]);
  const api = `ApiId \${HttpApi} Stage $default`;
  const ofTheFunction = `FunctionName \${UpdateFileLambdaFunction}`;
  const read = (table: string) => `TableName ${param(table)}`;
  const called = (table: string, call: string) => `${read(table)} Operation ${call}`;
  const calls = [
    called('apiKeysTable', 'BatchGetItem'),
    called('spacesTable', 'BatchGetItem'),
    called('filesTable', 'UpdateItem'),
  ];
  expect(shown).toEqual([
    [
      'Requests',
      'Sum',
      ...['Count', '4xx', '5xx'].map((name) => `AWS/ApiGateway ${name} ${api}`),
      `${namespace} ThrottledRequests`,
      `${namespace} ClientErrors`,
    ],
    ['Latency in ms', 'p50', `AWS/ApiGateway Latency ${api}`, `AWS/ApiGateway Latency ${api} {"stat":"p99"}`],
    [
      'Function',
      'Sum',
      `AWS/Lambda Errors ${ofTheFunction}`,
      `AWS/Lambda Throttles ${ofTheFunction}`,
      `AWS/Lambda ConcurrentExecutions ${ofTheFunction} {"stat":"Maximum","id":"\${FunctionId}"}`,
      `AWS/Lambda ClaimedAccountConcurrency {"stat":"Maximum","id":"\${AccountId}"}`,
      'AWS/Lambda ConcurrentExecutions {"stat":"Maximum","id":"executions","visible":false}',
      `{"expression":"\${ConcurrencyInPercent}","label":"concurrency in percent","yAxis":"right"}`,
      `${namespace} InternalErrors`,
      `${namespace} Timeouts {"id":"timeouts","visible":false}`,
      `${namespace} ReportedTimeouts {"id":"reportedTimeouts","visible":false}`,
      '{"expression":"MAX([FILL(timeouts, 0), FILL(reportedTimeouts, 0)])","label":"Timeouts"}',
    ],
    [
      'Conflicts, retries and keys',
      'Sum',
      ...['WriteConflicts', 'DynamodbRetries', 'InvalidApiKeys'].map((name) => `${namespace} ${name}`),
    ],
    [
      'DynamoDB: throttles and errors',
      'Sum',
      `AWS/DynamoDB ReadThrottleEvents ${read('apiKeysTable')}`,
      `AWS/DynamoDB ReadThrottleEvents ${read('spacesTable')}`,
      `AWS/DynamoDB WriteThrottleEvents ${read('filesTable')}`,
      ...calls.map((call) => `AWS/DynamoDB SystemErrors ${call}`),
    ],
    [
      'DynamoDB: latency in ms',
      'Average',
      ...calls.map((call) => `AWS/DynamoDB SuccessfulRequestLatency ${call}`),
    ],
    [
      'Outcomes',
      `SOURCE '\${FunctionsLogGroup}' | filter ispresent(outcome) | stats count() by status, outcome | sort status desc`,
    ],
  ]);
  // The id `used` is that of the metric that the alarm takes.
  expect(dashboardValues).toEqual({
    FunctionId: sharesConcurrency('ofFunction', 'used'),
    AccountId: sharesConcurrency('used', 'ofAccount'),
    ConcurrencyInPercent: concurrency,
  });
});

// docs/operations.md tells what each one finds. A column that is missing shows itself. A line that is missing does not.
test('the saved queries read these lines', () => {
  const filters = ofType('AWS::Logs::QueryDefinition').map(({ Properties }) => {
    const { Name, LogGroupNames, QueryString } = Object(Properties);
    return [Name.replace(`${stage}/`, ''), LogGroupNames, /^filter (.+?) \|/.exec(QueryString)?.[1]];
  });
  const ofFunctions = [{ Ref: 'FunctionsLogGroup' }];
  expect(filters).toEqual([
    ['What fails', ofFunctions, 'level = "error" or retries > 0'],
    ['Who is rejected', ofFunctions, 'status in [400, 401, 403, 404, 415]'],
    ['Which item', ofFunctions, 'level = "error" or conflicts > 0 or retries > 0'],
    ['Which key', ofFunctions, 'ispresent(outcome)'],
    ['Requests for one file', ofFunctions, 'fileId = "FILEID" and userId = "USERID"'],
    // After a 5xx, the update may have been applied.
    ['Changes of one key', ofFunctions, 'keyId = "KEYID" and (status = 200 or status >= 500)'],
    ['How fast, how large', ofFunctions, undefined],
    [
      'Starts and crashes',
      ofFunctions,
      String.raw`ispresent(node) or (not ispresent(outcome) and @message like /errorType|Runtime\.|Task timed out|Status: /)`,
    ],
    ['Rejected by the gateway', [{ Ref: 'HttpApiLogGroup' }], 'status like /^[45]/'],
  ]);
  // No documentation shows another function after `by`.
  const grouped = read('monitoring.yml').match(/(?<=QueryString: .* by )[^|']+/g) ?? [];
  expect(grouped.flatMap((fields) => fields.match(/\w+(?=\()/g) ?? [])).toEqual(['bin']);
});
