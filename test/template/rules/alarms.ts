import { stackName } from '../support/function.ts';
import { everywhere, is, type Rule } from '../support/rule.ts';
import { at, idsOf, listAt, textAt } from '../support/template.ts';

const ALARM = 'AWS::CloudWatch::Alarm';
const errors = 'Resources.LambdaErrorsAlarm.Properties';
const rate = 'Resources.Api5xxRateAlarm.Properties';

/** What wakes somebody. */
export const alarmRules: readonly Rule[] = [
  {
    name: 'these are the alarms',
    check: (template) => {
      const names = idsOf(template, ALARM).map((id) =>
        textAt(template, `Resources.${id}.Properties.AlarmName`).replace(`${stackName(template)}-`, ''),
      );
      const expected = [
        'api-5xx-rate',
        'api-p99-latency',
        'dynamodb-system-errors',
        'dynamodb-throttles',
        'fence-refusals',
        'fence-retries',
        'lambda-concurrency',
        'lambda-errors',
        'lambda-throttles',
        'lambda-timeouts',
        'refused-keys',
      ];
      return is(expected)(names.sort()) ? [] : names;
    },
    broken: [['Resources.LambdaErrorsAlarm'], [`${errors}.AlarmName`, 'other']],
  },
  everywhere(
    'an alarm tells the topic, a new one or the given one',
    ALARM,
    'Properties.AlarmActions',
    is([{ 'Fn::If': ['CreatesTopic', { Ref: 'AlarmTopic' }, { Ref: 'AlarmTopicArn' }] }]),
    [[`${errors}.AlarmActions`], [`${errors}.AlarmActions`, []]],
  ),
  everywhere('no alarm is switched off', ALARM, 'Properties.ActionsEnabled', is(undefined), [
    [`${errors}.ActionsEnabled`, false],
  ]),
  everywhere(
    'an alarm says why it is there, and where stands what to do',
    ALARM,
    'Properties',
    (found, template) => {
      const anchor = textAt(found, 'AlarmName').replace(`${stackName(template)}-`, '');
      const [reason = '', end] = textAt(found, 'AlarmDescription').split(' What to do: ');
      return reason.length > 80 && end === `docs/operations.md#${anchor}`;
    },
    [
      [`${errors}.AlarmDescription`],
      [`${errors}.AlarmDescription`, 'Errors. What to do: docs/operations.md#lambda-errors'],
      [`${rate}.AlarmDescription`, `${'x'.repeat(90)} What to do: docs/operations.md#other`],
    ],
  ),
  everywhere(
    'an alarm knows what no data means: nobody is woken',
    ALARM,
    'Properties.TreatMissingData',
    is('notBreaching'),
    [[`${errors}.TreatMissingData`], [`${rate}.TreatMissingData`, 'breaching']],
  ),
  everywhere(
    'nobody is woken by a blip: it lasts two times 5 minutes',
    ALARM,
    'Properties',
    (found) => {
      const periods = [found, ...listAt(found, 'Metrics').map((metric) => at(metric, 'MetricStat'))]
        .map((metric) => at(metric, 'Period'))
        .filter((period) => period !== undefined);
      const points = Number(at(found, 'DatapointsToAlarm'));
      return periods.every(is(300)) && points >= 2 && points <= Number(at(found, 'EvaluationPeriods'));
    },
    [
      [`${errors}.DatapointsToAlarm`, 1],
      [`${errors}.DatapointsToAlarm`],
      [`${errors}.Period`, 60],
      [`${rate}.Metrics.1.MetricStat.Period`, 10],
      [`${rate}.EvaluationPeriods`, 1],
    ],
  ),
];
