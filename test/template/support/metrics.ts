import { ownNamespace, tableNames } from './function.ts';
import { at, idsOf, listAt, type Template, textAt } from './template.ts';

/** A metric as an alarm or a dashboard names it: `AWS/Lambda Errors FunctionName=...`, dimensions in order. */
export const metricName = (namespace: string, metric: string, dimensions: readonly string[]): string =>
  [namespace, metric, ...[...dimensions].sort()].join(' ');

/**
 * Every metric that this stack makes, by AWS's own list of each service's metrics and dimensions:
 * docs.aws.amazon.com/apigateway/latest/developerguide/http-api-metrics.html,
 * docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-types.html,
 * docs.aws.amazon.com/amazondynamodb/latest/developerguide/metrics-dimensions.html; and its own metric filters.
 */
export const metricsOf = (template: Template): ReadonlySet<string> => {
  const { apiKeys, spaces, files } = tableNames(template);
  const operations = [
    [apiKeys, 'BatchGetItem'],
    [spaces, 'BatchGetItem'],
    [files, 'UpdateItem'],
  ] as const;
  return new Set([
    ...['Count', '4xx', '5xx', 'Latency', 'IntegrationLatency'].map((metric) =>
      metricName('AWS/ApiGateway', metric, ['ApiId=HttpApi', 'Stage=$default']),
    ),
    ...['Errors', 'Throttles', 'Duration', 'Invocations', 'ConcurrentExecutions'].map((metric) =>
      metricName('AWS/Lambda', metric, ['FunctionName=UpdateFileLambdaFunction']),
    ),
    ...operations.map(([table, operation]) =>
      metricName('AWS/DynamoDB', operation === 'UpdateItem' ? 'WriteThrottleEvents' : 'ReadThrottleEvents', [
        `TableName=${table}`,
      ]),
    ),
    ...operations.map(([table, operation]) =>
      metricName('AWS/DynamoDB', 'SystemErrors', [`TableName=${table}`, `Operation=${operation}`]),
    ),
    ...idsOf(template, 'AWS::Logs::MetricFilter').map((id) =>
      metricName(
        ownNamespace(template),
        textAt(template, `Resources.${id}.Properties.MetricTransformations.0.MetricName`),
        [],
      ),
    ),
  ]);
};

const dimensionText = (dimension: unknown) => {
  const reference = textAt(dimension, 'Value.Ref');
  return `${textAt(dimension, 'Name')}=${reference || textAt(dimension, 'Value')}`;
};

/** The metrics that an alarm looks at, also those of its expression. */
export const metricsOfAlarm = (template: Template, id: string): readonly string[] => {
  const properties = at(template, `Resources.${id}.Properties`);
  const inMath = listAt(properties, 'Metrics').map((metric) => at(metric, 'MetricStat.Metric'));
  return [properties, ...inMath]
    .filter((metric) => at(metric, 'MetricName') !== undefined)
    .map((metric) =>
      metricName(
        textAt(metric, 'Namespace'),
        textAt(metric, 'MetricName'),
        listAt(metric, 'Dimensions').map(dimensionText),
      ),
    );
};
