import { readEvent } from '#lib/http/event.ts';
import { toLogLine } from '#lib/http/log-line.ts';
import { openRequest } from '#lib/http/event.ts';
import { ownNamespace } from '../support/function.ts';
import { everywhere, follows, is, type Rule } from '../support/rule.ts';
import { at, idsOf, listAt, type Template, textAt } from '../support/template.ts';

const FILTER = 'AWS::Logs::MetricFilter';
const filter = 'Resources.FenceRetriesMetric.Properties';

const line = toLogLine(openRequest(readEvent({}), {}, { now: () => 0, newId: () => '' }), {
  status: 200,
  now: 0,
});
/** The names of the fields that a log line has: `$.status`, for one. */
const fields = Object.keys(JSON.parse(line)).map((name) => `$.${name}`);
const fieldsIn = (text: string): readonly string[] => text.match(/\$\.\w+/g) ?? [];

const transformations = (template: Template) =>
  idsOf(template, FILTER).flatMap((id) =>
    listAt(template, `Resources.${id}.Properties.MetricTransformations`).map((transformation) => ({
      id,
      transformation,
    })),
  );

/** What is kept of what happened, and what is counted from it. */
export const logRules: readonly Rule[] = [
  {
    name: 'the function and the API write each to a group of its own',
    check: (template) => {
      const groups = idsOf(template, 'AWS::Logs::LogGroup');
      return is(['HttpApiLogGroup', 'UpdateFileLogGroup'])(groups) ? [] : groups;
    },
    broken: [
      ['Resources.HttpApiLogGroup.Type', 'X'],
      ['Resources.More', { Type: 'AWS::Logs::LogGroup', Properties: {} }],
    ],
  },
  follows(
    'the function’s group is the one that Lambda writes to',
    'Resources.UpdateFileLogGroup.Properties.LogGroupName',
    (template) =>
      `/aws/lambda/${textAt(template, 'Resources.UpdateFileLambdaFunction.Properties.FunctionName')}`,
    [['Resources.UpdateFileLogGroup.Properties.LogGroupName', '/aws/lambda/other']],
  ),
  everywhere(
    'no log is kept for ever',
    'AWS::Logs::LogGroup',
    'Properties.RetentionInDays',
    (found) => typeof found === 'number' && found >= 7 && found <= 90,
    [
      ['Resources.UpdateFileLogGroup.Properties.RetentionInDays'],
      ['Resources.HttpApiLogGroup.Properties.RetentionInDays', 3653],
    ],
  ),
  everywhere(
    'metrics are made from the function’s log',
    FILTER,
    'Properties.LogGroupName',
    is({ Ref: 'UpdateFileLogGroup' }),
    [[`${filter}.LogGroupName`, { Ref: 'HttpApiLogGroup' }]],
  ),
  everywhere(
    'a metric asks for fields that the log line has',
    FILTER,
    'Properties',
    (found) => fieldsIn(JSON.stringify(found)).every((field) => fields.includes(field)),
    [
      [`${filter}.FilterPattern`, '{ $.retried > 0 }'],
      [`${filter}.MetricTransformations.0.MetricValue`, '$.retried'],
    ],
  ),
  everywhere(
    'no stranger can feign what is found by its words',
    FILTER,
    'Properties.FilterPattern',
    (found) => typeof found === 'string' && (/^\{ .+ \}$/.test(found) || found.endsWith(' -outcome')),
    [['Resources.TimeoutsMetric.Properties.FilterPattern', '"Task timed out after"']],
  ),
  {
    name: 'a metric of ours has no dimension: an id would make one for each caller',
    check: (template) =>
      transformations(template)
        .filter(({ transformation }) => at(transformation, 'Dimensions') !== undefined)
        .map(({ id }) => id),
    broken: [[`${filter}.MetricTransformations.0.Dimensions`, [{ Key: 'tenant', Value: '$.tenantId' }]]],
  },
  {
    name: 'a metric of ours is kept apart by service and stage',
    check: (template) =>
      transformations(template)
        .filter(({ transformation }) => at(transformation, 'MetricNamespace') !== ownNamespace(template))
        .map(({ id }) => id),
    broken: [[`${filter}.MetricTransformations.0.MetricNamespace`, 'space-files']],
  },
];
