// What the code, the pages and the mails rely on in serverless.yml and monitoring.yml, as whole objects: what is not here must
// not be there either. A value stands here only if no page states it, with the reason why it must not change.
// test/lanes/template has the rules about the package.
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { MAX_REQUEST_MS } from '#lib/times.ts';
import { expectSentence, read } from '#test/support/pages.ts';

const { params, provider, functions, resources } = parse(read('serverless.yml'), { merge: true });
const monitoring = parse(read('monitoring.yml'), { merge: true });
const { Resources } = monitoring;
const ofType = (type: string): Readonly<Record<string, unknown>>[] =>
  Object.values(Resources)
    .map(Object)
    .filter(({ Type }) => Type === type)
    .map(({ Type: _, ...resource }) => resource);

const stage = `\${self:service}-\${sls:stage}`;
const namespace = `\${self:service}/\${sls:stage}`;
const param = (name: string) => `\${param:${name}}`;
const isTrue = (name: string) => `\${strToBool(${param(name)})}`;

/** A value that a page states. The test of the sentences below compares it, so it stands in serverless.yml alone. */
const onPages = expect.anything();
/** A value with another test, which its comment names. */
const elsewhere = expect.anything();

// A setting without a row here is red: write down who relies on its value, or that a page states it.
test('serverless.yml has these params', () => {
  expect(params).toEqual({
    default: {
      throttlingRate: onPages,
      throttlingBurst: onPages,
      // README and docs/deploy.md call the API by its own address.
      disableDefaultEndpoint: 'false',
      // Shares the quota. A new account can reserve nothing.
      reservedConcurrency: -1,
      // The costs of docs/limits-and-cost.md are those without traces.
      tracing: 'PassThrough',
      // The machine of a person has another Node than Lambda, so its code cache would fit nothing.
      codeCache: 'false',
      apiKeysTable: onPages,
      spacesTable: onPages,
      filesTable: onPages,
      // The first deployment of docs/deploy.md has no table yet.
      createTables: 'true',
      // The conditions of both files compare these with an empty text.
      tablesKeyArn: '',
      alarmEmail: '',
      alarmTopic: '',
      logRetentionInDays: onPages,
      // runbook.test.ts compares the mails with the sections of this page.
      runbook: 'docs/operations.md',
      // A stage that people rely on can have any name but dev.
      deletionProtection: 'true',
    },
    dev: {
      throttlingRate: onPages,
      throttlingBurst: onPages,
      logRetentionInDays: onPages,
      deletionProtection: 'false',
    },
  });
});

test('serverless.yml has one function, and these settings of it and its API', () => {
  expect(provider).toEqual({
    name: 'aws',
    // A deployment that names no stage must not reach one that people rely on.
    stage: `\${opt:stage, 'dev'}`,
    // A value that changes with each deployment would update each resource.
    stackTags: { service: `\${self:service}`, stage: `\${sls:stage}` },
    // lib/http/event.ts reads no other format of an HTTP API: each request would get 500.
    httpApi: { payload: '2.0', disableDefaultEndpoint: isTrue('disableDefaultEndpoint') },
    logs: {
      // The test below has its fields.
      httpApi: { format: elsewhere },
      // The metrics and queries of all functions read this one.
      lambda: { logGroup: `/aws/lambda/${stage}` },
    },
    logRetentionInDays: param('logRetentionInDays'),
    // test/tools/bundle.test.ts compares it with package.json.
    runtime: elsewhere,
    // .github/workflows/deploy.yml makes the code cache on this one.
    architecture: 'arm64',
    memorySize: onPages,
    // Also test/unit/times.test.ts.
    timeout: onPages,
    tracing: { lambda: param('tracing') },
    // The code reads these names. docs/operations.md, Roll back, explains `unknown`.
    environment: {
      API_KEYS_TABLE: param('apiKeysTable'),
      SPACES_TABLE: param('spacesTable'),
      FILES_TABLE: param('filesTable'),
      COMMIT: `\${env:COMMIT, 'unknown'}`,
    },
    // The bucket has the code that runs.
    deploymentBucket: { blockPublicAccess: true, maxPreviousDeploymentArtifacts: onPages },
    // A version keeps its code for ever, and uses up a quota of the account.
    versionFunctions: false,
    deletionProtection: isTrue('deletionProtection'),
  });
  expect(functions).toEqual({
    updateFile: {
      // lib/runtime/entry.ts is built to this path.
      handler: 'dist/update-file.handler',
      role: 'UpdateFileRole',
      // The log group of all functions has its lines.
      disableLogs: true,
      events: [{ httpApi: 'PATCH /v1/spaces/{spaceId}/files/{fileId}' }],
    },
  });
});

// They contain keys and ids. Before you add a field here, make sure that it contains neither.
test('serverless.yml puts no header, query, path or body into the access log', () => {
  expect(JSON.parse(provider.logs.httpApi.format)).toEqual({
    time: '$context.requestTime',
    requestId: '$context.requestId',
    ip: '$context.identity.sourceIp',
    method: '$context.httpMethod',
    route: '$context.routeKey',
    statusCode: '$context.status',
    ms: '$context.responseLatency',
    functionMs: '$context.integrationLatency',
    gatewayError: '$context.error.responseType',
    functionError: '$context.integrationErrorMessage',
  });
});

const [stack] = resources;
const equals = (parameter: string, value: string) => ({ 'Fn::Equals': [{ Ref: parameter }, value] });
const not = (condition: object) => ({ 'Fn::Not': [condition] });
const text = (name: string) => ({ Type: 'String', Default: param(name) });

// CloudFormation rejects a mistyped value. A condition that is wrong deletes what it decides about, or creates it twice.
test('the params decide what is created by these parameters and conditions', () => {
  expect({ ...stack.Parameters, ...monitoring.Parameters }).toEqual({
    ReservedConcurrency: { Type: 'Number', MinValue: -1, Default: param('reservedConcurrency') },
    Tracing: { ...text('tracing'), AllowedValues: ['Active', 'PassThrough'] },
    CreateTables: { ...text('createTables'), AllowedValues: ['true', 'false'] },
    TablesKeyArn: text('tablesKeyArn'),
    AlarmEmail: text('alarmEmail'),
    AlarmTopicArn: text('alarmTopic'),
  });
  expect({ ...stack.Conditions, ...monitoring.Conditions }).toEqual({
    SharesConcurrency: equals('ReservedConcurrency', '-1'),
    Traces: equals('Tracing', 'Active'),
    CreatesTables: equals('CreateTables', 'true'),
    HasTablesKey: not(equals('TablesKeyArn', '')),
    CreatesTopic: equals('AlarmTopicArn', ''),
    SendsMail: { 'Fn::And': [{ Condition: 'CreatesTopic' }, not(equals('AlarmEmail', ''))] },
  });
});

test('serverless.yml reserves concurrency only if the params do, and lets AWS update Node', () => {
  expect(stack.extensions.UpdateFileLambdaFunction.Properties).toEqual({
    RuntimeManagementConfig: { UpdateRuntimeOn: 'Auto' },
    ReservedConcurrentExecutions: {
      'Fn::If': ['SharesConcurrency', { Ref: 'AWS::NoValue' }, { Ref: 'ReservedConcurrency' }],
    },
  });
});

// The name of an output is what another stack or a person reads it by.
test('the stack has these outputs', () => {
  expect({ ...stack.Outputs, ...monitoring.Outputs }).toEqual({
    ApiKeysTableName: { Value: param('apiKeysTable') },
    SpacesTableName: { Value: param('spacesTable') },
    FilesTableName: { Value: param('filesTable') },
    // docs/tables.md, Follow changes.
    FilesStreamArn: { Condition: 'CreatesTables', Value: { 'Fn::GetAtt': ['FilesTable', 'StreamArn'] } },
    AlarmTopicArn: { Value: { 'Fn::If': ['CreatesTopic', { Ref: 'AlarmTopic' }, { Ref: 'AlarmTopicArn' }] } },
    DashboardName: { Value: { Ref: 'Dashboard' } },
  });
});

// Metrics of each route would cost up to 1.80 dollars a month, and nobody reads them.
test('serverless.yml gives the stage of the API the throttle of the params, and no paid metric', () => {
  expect(stack.extensions.HttpApiStage.Properties).toEqual({
    DefaultRouteSettings: {
      ThrottlingRateLimit: param('throttlingRate'),
      ThrottlingBurstLimit: param('throttlingBurst'),
    },
  });
});

const { throttlingRate: rate, throttlingBurst: burst, logRetentionInDays: days } = params.default;
const { dev } = params;
const seconds = MAX_REQUEST_MS / 1000;
const inThousands = (value: number) => value.toLocaleString('en');
const words = ['none', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const deployments: number = provider.deploymentBucket.maxPreviousDeploymentArtifacts;
const logMetrics = ofType('AWS::Logs::MetricFilter').length;
/** The name of a table, as a shell has it with the stage in a variable. */
const inShell = (table: string) => `${params.default[table]}`.replace(stage, () => 'space-files-$STAGE');

test.each([
  ['docs/limits-and-cost.md', `**As deployed, the limit is ${rate} requests per second**`],
  [
    'docs/limits-and-cost.md',
    `| ${rate}, ${burst} (\`dev\`: ${dev.throttlingRate}, ${dev.throttlingBurst}) |`,
  ],
  [
    'docs/limits-and-cost.md',
    `runs for up to ${seconds} s. Then ${rate} requests per second run in ${inThousands(rate * seconds)} environments`,
  ],
  ['docs/limits-and-cost.md', `| the function | ${provider.timeout} s, ${provider.memorySize} MB |`],
  [
    'docs/limits-and-cost.md',
    `${rate} requests per second for a month are ${Math.round((rate * 30 * 24 * 3600) / 1e6)} million requests`,
  ],
  // Each costs 0.30 dollars.
  [
    'docs/limits-and-cost.md',
    `its ${logMetrics} metrics of log lines cost up to ${(logMetrics * 0.3).toFixed(2)} dollars more`,
  ],
  ['docs/decisions/008-primed-init.md', `At ${provider.memorySize} MB, Lambda gives`],
  ['docs/security.md', `\`logRetentionInDays\`: ${days} days (\`dev\`: ${dev.logRetentionInDays})`],
  ['docs/operations.md', `Log lines are kept for ${days} days (\`dev\`: ${dev.logRetentionInDays})`],
  [
    'docs/operations.md',
    `The bucket keeps the last ${words[deployments]} deployments, so you can go back by ${words[deployments - 1]}`,
  ],
  [
    'docs/deploy.md',
    `API_KEYS_TABLE=${inShell('apiKeysTable')} SPACES_TABLE=${inShell('spacesTable')} FILES_TABLE=${inShell('filesTable')}`,
  ],
])('%s says of serverless.yml: %s', (page, sentence) => {
  expectSentence(page, sentence);
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

/** What a client repeats until somebody corrects it. 412 and 422 are a part of normal operation. */
const clientErrors = [400, 401, 403, 404, 415];

// A caller chooses ids, which are texts in the line of the function. No such text is a field of the line, and the word
// outcome is in every one. API Gateway alone writes the access log.
test('monitoring.yml counts these lines of logs, which no caller can fake', () => {
  const internal = counts('InternalErrors', '{ $.statusCode = 500 }');
  expect(ofType('AWS::Logs::MetricFilter').map(({ Properties }) => Properties)).toEqual([
    counts('ThrottledRequests', '{ $.statusCode = "429" }', { log: 'HttpApiLogGroup' }),
    counts('ClientErrors', `{ ${clientErrors.map((status) => `$.statusCode = ${status}`).join(' || ')} }`),
    // An alarm adds it to the errors of Lambda. If it had no data, the sum might have none either.
    {
      ...internal,
      MetricTransformations: internal.MetricTransformations.map((one) => ({ ...one, DefaultValue: 0 })),
    },
    counts('InvalidApiKeys', '{ $.statusCode = 401 }'),
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

const topic = [{ 'Fn::If': ['CreatesTopic', { Ref: 'AlarmTopic' }, { Ref: 'AlarmTopicArn' }] }];
// Without a link of this chain, each alarm fires, and nobody hears of it. test/lanes/template has the rights of the key.
test('monitoring.yml mails what its topic gets to the address of the params', () => {
  expect(Resources.AlarmTopic).toEqual({
    Type: 'AWS::SNS::Topic',
    Condition: 'CreatesTopic',
    Properties: { TopicName: `${stage}-alarms`, KmsMasterKeyId: { Ref: 'AlarmKey' } },
  });
  expect(Resources.AlarmMail).toEqual({
    Type: 'AWS::SNS::Subscription',
    Condition: 'SendsMail',
    Properties: { TopicArn: { Ref: 'AlarmTopic' }, Protocol: 'email', Endpoint: { Ref: 'AlarmEmail' } },
  });
  expect(Resources.AlarmKey.Condition).toBe('CreatesTopic');
});

/** When an alarm fires, in the words of its mail: `in two of the last three periods of 5 minutes`. */
const inWords = (datapoints: number, periods: number, length: number) => {
  if (datapoints === 1) return length === 60 ? 'of a minute' : 'of an hour';
  const last = datapoints < periods ? `of the last ${words[periods]} ` : '';
  return `in ${words[datapoints]} ${last}periods of ${length / 60} minutes`;
};
type Alarm = {
  /** Above this value, in so many of the last periods, each of so many seconds. */
  readonly above: readonly [threshold: number, datapoints: number, periods: number, length: number];
  /** What it watches: the metrics with their expression, or a single metric. */
  readonly watches: object;
  /** What the mail says of both, besides the periods. */
  readonly says: readonly string[];
};

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
/**
 * More than a share of the requests, in percent, and at least so many, by the last of the metrics. A count of 0 may be missing,
 * so it is filled. A period without requests stays missing. `says` is what the mail says besides.
 */
const shareOf = (
  above: Alarm['above'],
  least: number,
  metrics: Readonly<Record<string, object>>,
  ...says: string[]
): Alarm => {
  const [threshold, , , length] = above;
  const count = `FILL(${Object.keys(metrics).at(-1)}, 0)`;
  return {
    above,
    watches: { Metrics: watch(`IF(${count} >= ${least}, 100 * ${count} / requests, 0)`, metrics, length) },
    says: [
      `More than ${threshold === 50 ? 'half' : `${threshold} %`} of the requests`,
      `at least ${least} of them`,
      ...says,
    ],
  };
};
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

// Whoever changes a row changes when somebody is woken, and what the mail says. An absolute number grows with the traffic:
// 1,000 healthy requests a second would keep its alarm on for ever. A short disturbance ends by itself.
const alarms: Readonly<Record<string, Alarm>> = {
  // Of a total failure, somebody must hear at once, and hear that it has ended. As a factor in place of IF, the comparison
  // leaves a minute missing until its requests are counted. A 0 would send OK too early.
  'api-outage': {
    above: [50, 1, 3, 60],
    watches: {
      OKActions: topic,
      Metrics: watch('100 * (FILL(failures, 0) >= 5) * FILL(failures, 0) / requests', failures, 60),
    },
    says: ['More than half of the requests', 'at least 5 of them', 'the last three minutes with requests'],
  },
  'api-5xx-rate': shareOf([1, 2, 3, 300], 3, failures),
  // With few requests, it takes an hour to see a total failure.
  'api-5xx-hour': shareOf([50, 1, 1, 3600], 3, failures),
  // Not the requests to the API: scanners send many to other paths.
  'api-4xx-rate': shareOf(
    [10, 3, 3, 300],
    10,
    { requests: ofFunction('Invocations'), errors: ofLog('ClientErrors') },
    `got ${clientErrors.slice(0, -1).join(', ')} or ${clientErrors.at(-1)},`,
  ),
  'api-throttles': shareOf(
    [1, 2, 2, 300],
    100,
    { requests: ofApi('Count'), throttles: ofLog('ThrottledRequests') },
    'got 429,',
  ),
  'api-p99-latency': {
    above: [2000, 3, 3, 300],
    watches: { ...ofApi('Latency'), ExtendedStatistic: 'p99', Period: 300 },
    says: ['1 % of requests took longer than 2 s', 'fail with 503'],
  },
  // Without the first 5, a steady 0.05 % sends no mail. With a minimum number, it does at some rates, by chance.
  'lambda-errors': {
    above: [0.1, 2, 3, 300],
    watches: {
      Metrics: watch(`IF(${errors} > 5, 100 * (${errors} - 5) / requests, 0)`, {
        requests: ofFunction('Invocations'),
        internal: ofLog('InternalErrors'),
        errors: ofFunction('Errors'),
      }),
    },
    says: ['More than 0.1 % of the invocations, after the first 5 failures,'],
  },
  // Invocations do not contain what was throttled, and are missing if all was.
  'lambda-throttles': {
    above: [0.1, 2, 3, 300],
    watches: {
      Metrics: watch(`IF(${throttles} >= 3, 100 * ${throttles} / (${throttles} + FILL(requests, 0)), 0)`, {
        requests: ofFunction('Invocations'),
        throttles: ofFunction('Throttles'),
      }),
    },
    says: ['more than 0.1 % of the invocations', 'at least 3 of them'],
  },
  // A number in place of the quota is wrong in each account that has another one: above the quota, the alarm never fires.
  'lambda-concurrency': {
    above: [80, 2, 2, 300],
    watches: { Metrics: [percent, used, sharesConcurrency(executions, { Ref: 'AWS::NoValue' })] },
    says: ['More than 80 % of the concurrency'],
  },
  'invalid-api-keys': shareOf([1, 2, 2, 300], 100, {
    requests: ofFunction('Invocations'),
    rejected: ofLog('InvalidApiKeys'),
  }),
};

test.each(Object.entries(alarms))(
  '%s of monitoring.yml fires as its row in this file says, and its mail says so',
  (name, { above: [Threshold, DatapointsToAlarm, EvaluationPeriods, length], watches, says }) => {
    const AlarmName = `${stage}-${name}`;
    const found = ofType('AWS::CloudWatch::Alarm').filter(
      ({ Properties }) => Object(Properties).AlarmName === AlarmName,
    );
    const AlarmDescription = expect.any(String);
    // It must reach somebody. Without requests, nothing is measured.
    const reaches = {
      AlarmActions: topic,
      ComparisonOperator: 'GreaterThanThreshold',
      TreatMissingData: 'notBreaching',
    };
    const counted = { Threshold, DatapointsToAlarm, EvaluationPeriods };
    expect(found).toEqual([
      { Properties: { AlarmName, AlarmDescription, ...reaches, ...counted, ...watches } },
    ]);
    const mail: string = Object(found[0]?.['Properties']).AlarmDescription;
    const needed = [...says, inWords(DatapointsToAlarm, EvaluationPeriods, length)];
    expect(
      needed.filter((part) => !mail.includes(part)),
      `monitoring.yml: the mail of ${name} does not say when it fires: ${mail}`,
    ).toEqual([]);
  },
);

test('each alarm of monitoring.yml has a row in this file', () => {
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
test('the dashboard of monitoring.yml shows these metrics', () => {
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
      `SOURCE '\${FunctionsLogGroup}' | filter ispresent(outcome) | stats count() by statusCode, outcome | sort statusCode desc`,
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
test('the saved queries of monitoring.yml read these lines', () => {
  const filters = ofType('AWS::Logs::QueryDefinition').map(({ Properties }) => {
    const { Name, LogGroupNames, QueryString } = Object(Properties);
    return [Name.replace(`${stage}/`, ''), LogGroupNames, /^filter (.+?) \|/.exec(QueryString)?.[1]];
  });
  const ofFunctions = [{ Ref: 'FunctionsLogGroup' }];
  expect(filters).toEqual([
    ['What fails', ofFunctions, 'level = "error" or retries > 0'],
    ['Who is rejected', ofFunctions, `statusCode in [${clientErrors.join(', ')}]`],
    ['Which item', ofFunctions, 'level = "error" or conflicts > 0 or retries > 0'],
    ['Which key', ofFunctions, 'ispresent(outcome)'],
    ['Requests for one file', ofFunctions, 'fileId = "FILEID" and userId = "USERID"'],
    // After a 5xx, the update may have been applied.
    ['Changes of one key', ofFunctions, 'keyId = "KEYID" and (statusCode = 200 or statusCode >= 500)'],
    ['How fast, how large', ofFunctions, undefined],
    [
      'Starts and crashes',
      ofFunctions,
      String.raw`ispresent(node) or (not ispresent(outcome) and @message like /errorType|Runtime\.|Task timed out|Status: /)`,
    ],
    ['Rejected by the gateway', [{ Ref: 'HttpApiLogGroup' }], 'statusCode like /^[45]/'],
  ]);
  // No documentation shows another function after `by`.
  const grouped = read('monitoring.yml').match(/(?<=QueryString: .* by )[^|']+/g) ?? [];
  expect(grouped.flatMap((fields) => fields.match(/\w+(?=\()/g) ?? [])).toEqual(['bin']);
});
