import { metricsOf, metricsOfAlarm } from '../support/metrics.ts';
import { everywhere, type Rule } from '../support/rule.ts';
import { at, idsOf, listAt, textAt } from '../support/template.ts';

const ALARM = 'AWS::CloudWatch::Alarm';
const errors = 'Resources.LambdaErrorsAlarm.Properties';
const rate = 'Resources.Api5xxRateAlarm.Properties';

/** What alarms look at. */
export const alarmMetricRules: readonly Rule[] = [
  everywhere(
    'an alarm has a threshold to pass',
    ALARM,
    'Properties',
    (found) =>
      Number.isFinite(Number(at(found, 'Threshold'))) &&
      at(found, 'ComparisonOperator') === 'GreaterThanThreshold',
    [[`${errors}.Threshold`], [`${errors}.ComparisonOperator`, 'LessThanThreshold']],
  ),
  {
    name: 'an alarm looks at metrics that this stack makes',
    check: (template) => {
      const made = metricsOf(template);
      return idsOf(template, ALARM).flatMap((id) => {
        const seen = metricsOfAlarm(template, id);
        return seen.length === 0 ? [`${id} looks at nothing`] : seen.filter((metric) => !made.has(metric));
      });
    },
    broken: [
      [`${errors}.MetricName`, 'Error'],
      [`${errors}.Dimensions`],
      [`${errors}.Dimensions.0.Value`, 'other'],
      [`${rate}.Metrics.1.MetricStat.Metric.Dimensions.1.Value`, 'dev'],
      [`${rate}.Metrics`],
      ['Resources.FenceRetriesMetric'],
      ['Resources.DynamodbThrottlesAlarm.Properties.Metrics.1.MetricStat.Metric.Dimensions.0.Value', 'other'],
    ],
  },
  everywhere(
    'the rate of failures has a floor of requests, and is what the alarm looks at',
    ALARM,
    'Properties.Metrics',
    (found, _, id) =>
      id !== 'Api5xxRateAlarm' || /^IF\(requests >= \d+, /.test(textAt(found, '0.Expression')),
    [[`${rate}.Metrics.0.Expression`, '100 * failures / requests']],
  ),
  everywhere(
    'a metric that is missing does not hide the others',
    ALARM,
    'Properties.Metrics.0.Expression',
    (found) => found === undefined || !/[a-z)] \+ [a-zA-Z]/.test(String(found)),
    [['Resources.DynamodbThrottlesAlarm.Properties.Metrics.0.Expression', 'FILL(keys, 0) + FILL(files, 0)']],
  ),
  everywhere(
    'of several metrics one is looked at',
    ALARM,
    'Properties',
    (found) => {
      const metrics = listAt(found, 'Metrics');
      const seen = metrics.filter((metric) => at(metric, 'ReturnData') !== false);
      return metrics.length === 0 || (seen.length === 1 && at(seen[0], 'Expression') !== undefined);
    },
    [[`${rate}.Metrics.1.ReturnData`]],
  ),
];
