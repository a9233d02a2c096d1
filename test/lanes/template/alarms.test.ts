// Which mails a night sends: the packaged alarms, evaluated as CloudWatch does it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import * as z from 'zod';

const MetricSchema = z.object({
  Id: z.string(),
  MetricStat: z.object({ Metric: z.object({ MetricName: z.string() }), Period: z.number() }),
});
const AlarmSchema = z.object({
  AlarmName: z.string(),
  Metrics: z.tuple([z.object({ Expression: z.string() }), MetricSchema], MetricSchema),
  Threshold: z.number(),
  EvaluationPeriods: z.number(),
  DatapointsToAlarm: z.number(),
});
const ResourceSchema = z.object({ Type: z.string(), Properties: z.record(z.string(), z.unknown()) });
const TemplateSchema = z.object({ Resources: z.record(z.string(), ResourceSchema) });

const template = join(inject('packages'), 'prod', 'cloudformation-template-update-stack.json');
const { Resources } = TemplateSchema.parse(JSON.parse(readFileSync(template, 'utf8')));
/** All but the two that watch no share of the requests. */
const alarms = Object.values(Resources)
  .filter(({ Type }) => Type === 'AWS::CloudWatch::Alarm')
  .filter(({ Properties }) => !/-(api-p99-latency|lambda-concurrency)$/.test(`${Properties['AlarmName']}`))
  .map(({ Properties }) => AlarmSchema.parse(Properties));

/** How many there are in each minute. The list starts again at its end. */
type PerMinute = readonly number[];
interface Night {
  readonly requests: PerMinute;
  /** Requests that got 500 or 503 from the function, or no response of the function. */
  readonly internalErrors?: PerMinute;
  readonly unavailable?: PerMinute;
  readonly crashes?: PerMinute;
}
const MINUTES = 180;
/** What AWS and the filters of the log count in a minute. */
const countIn = (night: Night, minute: number): Readonly<Record<string, number>> => {
  const at = (counts: PerMinute = [0]) => counts[minute % counts.length] ?? 0;
  return {
    Count: at(night.requests),
    '5xx': at(night.internalErrors) + at(night.unavailable) + at(night.crashes),
    Invocations: at(night.requests),
    Errors: at(night.crashes),
    InternalErrors: at(night.internalErrors),
  };
};

// These are all the functions of metric math that an alarm uses. Its operators are those of JavaScript.
const IF = (condition: boolean, value: number, otherwise: number) => (condition ? value : otherwise);
const FILL = (value: number, filler: number) => (Number.isNaN(value) ? filler : value);

/** The numbers from 0 to the last one. */
const upTo = (last: number) => Array.from({ length: last + 1 }, (_, index) => index);

/** The expression of an alarm as a function of its metrics, of which a missing one is NaN. */
const compile = ({ Metrics: [{ Expression }, ...metrics] }: z.infer<typeof AlarmSchema>) => {
  const compute = new Function('IF', 'FILL', ...metrics.map(({ Id }) => Id), `return ${Expression}`);
  return (values: readonly number[]) => Number(compute(IF, FILL, ...values));
};

/** Whether an alarm fires. Its window moves by a minute. A count of 0 is missing, as if AWS sent no zeros. */
const fires = (alarm: z.infer<typeof AlarmSchema>, night: Night): boolean => {
  const [, ...metrics] = alarm.Metrics;
  const period = metrics[0].MetricStat.Period / 60;
  const compute = compile(alarm);
  const valueUntil = (end: number) => {
    const counts = upTo(period - 1).map((ago) => countIn(night, end - ago));
    const sums = metrics.map(({ MetricStat: { Metric } }) =>
      counts.reduce((sum, count) => sum + (count[Metric.MetricName] ?? 0), 0),
    );
    return compute(sums.map((sum) => sum || Number.NaN));
  };
  return upTo(MINUTES).some((minute) => {
    // From the first minute on, CloudWatch has hours of data.
    const ends = upTo(alarm.EvaluationPeriods - 1).map((ago) => MINUTES + minute - ago * period);
    return ends.filter((end) => valueUntil(end) > alarm.Threshold).length >= alarm.DatapointsToAlarm;
  });
};

const hourly = (count: number): PerMinute => [...Array(59).fill(0), count];

// Somebody must hear of each failure that lasts, and of no error that occurs by chance. Few errors of the function itself
// are enough: a 500 is always a bug, and a 503 is not.
test.each<Night & { night: string; mails: readonly string[] }>([
  {
    night: 'each request fails, one in 150 s',
    requests: [1, 0, 1, 0, 0],
    unavailable: [1, 0, 1, 0, 0],
    mails: ['api-5xx-hour'],
  },
  {
    night: 'each request fails, three in an hour',
    requests: hourly(3),
    internalErrors: hourly(3),
    mails: ['api-5xx-hour'],
  },
  {
    night: 'each request fails, 1,000 a second',
    requests: [60_000],
    internalErrors: [60_000],
    mails: ['api-outage', 'api-5xx-rate', 'api-5xx-hour', 'lambda-errors'],
  },
  {
    night: '0.9 % of 1,000 requests a second get 500',
    requests: [60_000],
    internalErrors: [540],
    mails: ['lambda-errors'],
  },
  {
    night: '0.9 % of 1,000 requests a second get no response',
    requests: [60_000],
    crashes: [540],
    mails: ['lambda-errors'],
  },
  {
    night: '2 % of one request a second get 500',
    requests: [60],
    internalErrors: [1, 1, 1, 1, 2],
    mails: ['api-5xx-rate', 'lambda-errors'],
  },
  { night: '0.9 % of 1,000 requests a second get 503', requests: [60_000], unavailable: [540], mails: [] },
  { night: '0.1 % of 1,000 requests a second get 500', requests: [60_000], internalErrors: [60], mails: [] },
  {
    night: '0.05 % of 30 requests a second get 500, by chance in clusters',
    requests: [1800],
    internalErrors: [2, 3, 1, 2, 2, 0, 1, 0, 1, 0, 3, 1, 2, 3, 1, ...Array(14).fill(0), 5],
    mails: [],
  },
  {
    night: 'one request in an hour gets 500, of one in 5 minutes',
    requests: [1, 0, 0, 0, 0],
    internalErrors: hourly(1),
    mails: [],
  },
  { night: 'each request fails, two in an hour', requests: hourly(2), unavailable: hourly(2), mails: [] },
  { night: 'half of eight requests an hour fail', requests: hourly(8), unavailable: hourly(4), mails: [] },
])('$night: mails of $mails', ({ mails, ...night }) => {
  const found = alarms.filter((alarm) => fires(alarm, night)).map(({ AlarmName }) => AlarmName);
  expect(found).toEqual(mails.map((name) => `space-files-prod-${name}`));
});

// CloudWatch then takes an older minute in its place. A 0 would be one of the three minutes that send OK.
test('a minute of api-outage is missing until its requests are counted', () => {
  const outage = alarms.find(({ AlarmName }) => AlarmName.endsWith('-api-outage')) ?? expect.unreachable();
  const percent = compile(outage);
  expect(percent([Number.NaN, Number.NaN])).toBeNaN();
  expect([percent([10, Number.NaN]), percent([10, 4]), percent([10, 6])]).toEqual([0, 0, 60]);
});

const ExpressionSchema = z
  .tuple([z.object({ Expression: z.object({ 'Fn::If': z.array(z.unknown()) }) })])
  .rest(z.unknown());

// A new account has a quota of 10, and another one 1,000 or more.
test.each([
  { quota: 10, used: 8, isAbove: false },
  { quota: 10, used: 9, isAbove: true },
  { quota: 1_000, used: 800, isAbove: false },
  { quota: 1_000, used: 801, isAbove: true },
])(
  'lambda-concurrency with $used executions of $quota is above its threshold: $isAbove',
  ({ quota, used, isAbove }) => {
    const { Properties } = Resources['LambdaConcurrencyAlarm'] ?? expect.unreachable();
    const [{ Expression }] = ExpressionSchema.parse(Properties['Metrics']);
    const [, ofAccount] = Expression['Fn::If'];
    const compute = new Function('used', 'executions', 'SERVICE_QUOTA', `return ${ofAccount}`);
    const percent = compute(used, 'executions', (metric: string) =>
      metric === 'executions' ? quota : Number.NaN,
    );
    expect(percent > Number(Properties['Threshold'])).toBe(isAbove);
  },
);
