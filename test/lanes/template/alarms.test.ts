// Which mails a night sends: the packaged alarms, evaluated as CloudWatch does it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import * as z from 'zod';

const MetricSchema = z.object({
  Id: z.string(),
  MetricStat: z.object({
    Metric: z.object({ MetricName: z.string() }),
    Period: z.number(),
    Stat: z.enum(['Sum', 'Maximum', 'p99']),
  }),
});
const limits = {
  AlarmName: z.string(),
  Threshold: z.number(),
  EvaluationPeriods: z.number(),
  DatapointsToAlarm: z.number(),
};
const MathSchema = z.object({
  ...limits,
  Metrics: z.tuple([z.object({ Expression: z.string() }), MetricSchema], MetricSchema),
});
/** An alarm on one metric, as the same on an expression. */
const SingleMetricSchema = z
  .object({ ...limits, MetricName: z.string(), Period: z.number(), ExtendedStatistic: z.literal('p99') })
  .transform(
    ({ MetricName, Period, ExtendedStatistic: Stat, ...alarm }): z.infer<typeof MathSchema> => ({
      ...alarm,
      Metrics: [
        { Expression: 'value' },
        { Id: 'value', MetricStat: { Metric: { MetricName }, Period, Stat } },
      ],
    }),
  );
const AlarmSchema = z.union([MathSchema, SingleMetricSchema]);
type Alarm = z.infer<typeof AlarmSchema>;
const ResourceSchema = z.object({ Type: z.string(), Properties: z.record(z.string(), z.unknown()) });
const TemplateSchema = z.object({ Resources: z.record(z.string(), ResourceSchema) });

const template = join(inject('packages'), 'prod', 'cloudformation-template-update-stack.json');
const { Resources } = TemplateSchema.parse(JSON.parse(readFileSync(template, 'utf8')));
/** The properties of a stage without reservedConcurrency: of each Fn::If, the value where its condition is true. */
const decide = (properties: object): unknown =>
  JSON.parse(JSON.stringify(properties), (_, value) => value?.['Fn::If']?.[1] ?? value);
const alarms = Object.values(Resources)
  .filter(({ Type }) => Type === 'AWS::CloudWatch::Alarm')
  .map(({ Properties }) => AlarmSchema.parse(decide(Properties)));
const alarmOf = (name: string): Alarm =>
  alarms.find(({ AlarmName }) => AlarmName === `space-files-prod-${name}`) ?? expect.unreachable(name);

/** How many there are in each minute. The list starts again at its end. */
type PerMinute = readonly number[];
interface Night {
  readonly requests: PerMinute;
  /** Requests that got 500 or 503 from the function, or no response of the function. */
  readonly internalErrors?: PerMinute;
  readonly unavailable?: PerMinute;
  readonly crashes?: PerMinute;
  /** Requests that got 404, 401, or 429 of API Gateway, and those that Lambda rejected. */
  readonly notFound?: PerMinute;
  readonly invalidKeys?: PerMinute;
  readonly throttled?: PerMinute;
  readonly rejected?: PerMinute;
  /** The time of the slowest request in milliseconds, and the concurrency of the account. */
  readonly slowest?: PerMinute;
  readonly concurrency?: PerMinute;
}
const MINUTES = 180;
/** The concurrency that the account may have. */
const QUOTA = 1_000;
/** What AWS and the filters of the log count in a minute. */
const countIn = (night: Night, minute: number): Readonly<Record<string, number>> => {
  const at = (counts: PerMinute = [0]) => counts[minute % counts.length] ?? 0;
  return {
    Count: at(night.requests),
    '5xx': at(night.internalErrors) + at(night.unavailable) + at(night.crashes) + at(night.rejected),
    Invocations: at(night.requests) - at(night.throttled) - at(night.rejected),
    Errors: at(night.crashes),
    InternalErrors: at(night.internalErrors),
    ClientErrors: at(night.notFound) + at(night.invalidKeys),
    InvalidApiKeys: at(night.invalidKeys),
    ThrottledRequests: at(night.throttled),
    Throttles: at(night.rejected),
    Latency: at(night.slowest),
    ClaimedAccountConcurrency: at(night.concurrency),
    ConcurrentExecutions: at(night.concurrency),
  };
};

// These are all the functions of metric math that an alarm uses. Its operators are those of JavaScript.
const IF = (condition: boolean, value: number, otherwise: number) => (condition ? value : otherwise);
const FILL = (value: number, filler: number) => (Number.isNaN(value) ? filler : value);
const SERVICE_QUOTA = () => QUOTA;

/** One number for the minutes of a period. With few requests, p99 is the slowest one. */
const statistics = {
  Sum: (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0),
  Maximum: (counts: readonly number[]) => Math.max(...counts),
  p99: (counts: readonly number[]) => Math.max(...counts),
};

/** The numbers from 0 to the last one. */
const upTo = (last: number) => Array.from({ length: last + 1 }, (_, index) => index);

/** The expression of an alarm as a function of its metrics, of which a missing one is NaN. */
const compile = ({ Metrics: [{ Expression }, ...metrics] }: Alarm) => {
  const names = ['IF', 'FILL', 'SERVICE_QUOTA', ...metrics.map(({ Id }) => Id)];
  const compute = new Function(...names, `return ${Expression}`);
  return (values: readonly number[]) => Number(compute(IF, FILL, SERVICE_QUOTA, ...values));
};

/**
 * How many minutes of a night an alarm is in the state ALARM. Its window moves by a minute. A count of 0 is missing, as if AWS
 * sent no zeros.
 */
const minutesInAlarm = (alarm: Alarm, night: Night): number => {
  const [, ...metrics] = alarm.Metrics;
  const period = metrics[0].MetricStat.Period / 60;
  const compute = compile(alarm);
  const valueUntil = (end: number) => {
    const counts = upTo(period - 1).map((ago) => countIn(night, end - ago));
    const values = metrics.map(({ MetricStat: { Metric, Stat } }) =>
      statistics[Stat](
        counts.map((count) => count[Metric.MetricName] ?? expect.unreachable(Metric.MetricName)),
      ),
    );
    return compute(values.map((value) => value || Number.NaN));
  };
  const isAlarm = (minute: number) => {
    // From the first minute on, CloudWatch has hours of data.
    const ends = upTo(alarm.EvaluationPeriods - 1).map((ago) => MINUTES + minute - ago * period);
    return ends.filter((end) => valueUntil(end) > alarm.Threshold).length >= alarm.DatapointsToAlarm;
  };
  return upTo(MINUTES - 1).filter(isAlarm).length;
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
  const found = alarms.filter((alarm) => minutesInAlarm(alarm, night) > 0).map(({ AlarmName }) => AlarmName);
  expect(found).toEqual(mails.map((name) => `space-files-prod-${name}`));
});

/** So many minutes of each number, in this order. */
const minutes = (...parts: readonly (readonly [number: number, minutes: number])[]): PerMinute =>
  parts.flatMap(([number, count]) => Array<number>(count).fill(number));
/** Something that happens once in a night, before minutes with 0. */
const once = (incident: PerMinute): PerMinute => [
  ...incident,
  ...Array<number>(MINUTES - incident.length).fill(0),
];

// The shortest incident that must send a mail, and the longest that must not, which lasts all night. The numbers are just above
// the threshold, so that a period counts only if all of its minutes do.
const incidents: readonly (Night & { alarm: string; incident: string; inAlarm: number })[] = [
  {
    // As long as it takes until the mail with OK.
    alarm: 'api-outage',
    incident: '6 of 10 requests of one minute fail',
    requests: [10],
    unavailable: once([6]),
    inAlarm: 3,
  },
  {
    alarm: 'api-outage',
    incident: 'half of the requests fail',
    requests: [10],
    unavailable: [5],
    inAlarm: 0,
  },
  {
    alarm: 'api-outage',
    incident: 'four requests a minute fail',
    requests: [4],
    unavailable: [4],
    inAlarm: 0,
  },
  {
    alarm: 'api-5xx-rate',
    incident: '1.1 % fail for twice 5 minutes, with 5 between',
    requests: [10_000],
    unavailable: once(minutes([110, 5], [0, 5], [110, 5])),
    inAlarm: 1,
  },
  {
    alarm: 'api-5xx-rate',
    incident: '1.1 % fail in 9 of 19 minutes',
    requests: [10_000],
    unavailable: minutes([110, 9], [0, 10]),
    inAlarm: 0,
  },
  {
    alarm: 'api-5xx-hour',
    incident: '50.5 % fail for an hour',
    requests: [200],
    unavailable: once(minutes([101, 60])),
    inAlarm: 1,
  },
  {
    alarm: 'api-5xx-hour',
    incident: '50.5 % fail in 59 of 60 minutes',
    requests: [200],
    unavailable: minutes([101, 59], [0, 1]),
    inAlarm: 0,
  },
  {
    alarm: 'api-4xx-rate',
    incident: '11 % get 404 for 15 minutes',
    requests: [1_000],
    notFound: once(minutes([110, 15])),
    inAlarm: 1,
  },
  {
    alarm: 'api-4xx-rate',
    incident: '11 % get 404 in 14 of 19 minutes',
    requests: [1_000],
    notFound: minutes([110, 14], [0, 5]),
    inAlarm: 0,
  },
  {
    alarm: 'api-throttles',
    incident: '1.1 % get 429 for 10 minutes',
    requests: [100_000],
    throttled: once(minutes([1_100, 10])),
    inAlarm: 1,
  },
  {
    alarm: 'api-throttles',
    incident: '1.1 % get 429 in 9 of 14 minutes',
    requests: [100_000],
    throttled: minutes([1_100, 9], [0, 5]),
    inAlarm: 0,
  },
  {
    alarm: 'api-p99-latency',
    incident: 'three requests take 2,001 ms, 7 minutes apart',
    requests: [1],
    slowest: once(minutes([2_001, 1], [20, 6], [2_001, 1], [20, 6], [2_001, 1])),
    inAlarm: 1,
  },
  {
    alarm: 'api-p99-latency',
    incident: 'each 8 minutes, a request takes 2,001 ms',
    requests: [1],
    slowest: minutes([2_001, 1], [20, 7]),
    inAlarm: 0,
  },
  {
    alarm: 'lambda-errors',
    incident: '0.11 % get 500 for twice 5 minutes, with 5 between',
    requests: [60_000],
    internalErrors: once(minutes([66, 5], [0, 5], [66, 5])),
    inAlarm: 1,
  },
  {
    alarm: 'lambda-errors',
    incident: '0.11 % get 500 in 9 of 19 minutes',
    requests: [60_000],
    internalErrors: minutes([66, 9], [0, 10]),
    inAlarm: 0,
  },
  {
    alarm: 'lambda-throttles',
    incident: 'Lambda rejects 0.11 % for twice 5 minutes, with 5 between',
    requests: [10_000],
    rejected: once(minutes([11, 5], [0, 5], [11, 5])),
    inAlarm: 1,
  },
  {
    alarm: 'lambda-throttles',
    incident: 'Lambda rejects 0.11 % in 9 of 19 minutes',
    requests: [10_000],
    rejected: minutes([11, 9], [0, 10]),
    inAlarm: 0,
  },
  {
    alarm: 'lambda-concurrency',
    incident: '801 executions of 1,000, twice, 9 minutes apart',
    requests: [60_000],
    concurrency: once(minutes([801, 1], [100, 8], [801, 1])),
    inAlarm: 1,
  },
  {
    alarm: 'lambda-concurrency',
    incident: '801 executions of 1,000, each 10 minutes',
    requests: [60_000],
    concurrency: minutes([801, 1], [100, 9]),
    inAlarm: 0,
  },
  {
    alarm: 'invalid-api-keys',
    incident: '1.1 % get 401 for 10 minutes',
    requests: [100_000],
    invalidKeys: once(minutes([1_100, 10])),
    inAlarm: 1,
  },
  {
    alarm: 'invalid-api-keys',
    incident: '1.1 % get 401 in 9 of 14 minutes',
    requests: [100_000],
    invalidKeys: minutes([1_100, 9], [0, 5]),
    inAlarm: 0,
  },
];

test.each(incidents)('$alarm, when $incident: $inAlarm minutes', ({ alarm, inAlarm, ...night }) => {
  expect(minutesInAlarm(alarmOf(alarm), night)).toBe(inAlarm);
});

/** The same alarm with more or fewer periods and datapoints, and with a longer or shorter period. */
const changePeriods = (alarm: Alarm, { periods = 0, datapoints = 0, minutes = 0 }): Alarm =>
  AlarmSchema.parse({
    ...alarm,
    EvaluationPeriods: alarm.EvaluationPeriods + periods,
    DatapointsToAlarm: alarm.DatapointsToAlarm + datapoints,
    Metrics: alarm.Metrics.map((metric) => {
      if (!('MetricStat' in metric)) return metric;
      const { MetricStat } = metric;
      return { ...metric, MetricStat: { ...MetricStat, Period: MetricStat.Period + 60 * minutes } };
    }),
  });

// Otherwise nobody notices that an alarm fires late, or for less.
test.each(alarms)('the incidents notice each change of the periods of $AlarmName', (alarm) => {
  const own = incidents.filter((incident) => alarm.AlarmName === `space-files-prod-${incident.alarm}`);
  const changes = [1, -1].flatMap((one) => [
    { periods: one },
    { datapoints: one },
    { periods: one, datapoints: one },
    { minutes: one },
  ]);
  const isUnnoticed = (changed: Alarm) =>
    own.every(({ inAlarm, ...night }) => minutesInAlarm(changed, night) === inAlarm);
  expect(changes.filter((change) => isUnnoticed(changePeriods(alarm, change)))).toEqual([]);
});

// CloudWatch then takes an older minute in its place. A 0 would be one of the three minutes that send OK.
test('a minute of api-outage is missing until its requests are counted', () => {
  const percent = compile(alarmOf('api-outage'));
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
