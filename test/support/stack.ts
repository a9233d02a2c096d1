import { parse } from 'yaml';
import { read } from './pages.ts';

export const serverless = parse(read('serverless.yml'), { merge: true });
const monitoring = parse(read('monitoring.yml'), { merge: true });
const [stack] = serverless.resources;

/** What the framework merges both files into. */
export const template = {
  Parameters: { ...stack.Parameters, ...monitoring.Parameters },
  Conditions: { ...stack.Conditions, ...monitoring.Conditions },
  Resources: { ...stack.Resources, ...monitoring.Resources },
  Outputs: { ...stack.Outputs, ...monitoring.Outputs },
  extensions: stack.extensions,
};

/** The properties of each resource of a type. */
export const propertiesOf = (type: string) =>
  Object.values(template.Resources)
    .map(Object)
    .filter(({ Type }) => Type === type)
    .map(({ Properties }) => Properties);

/** How the names of a stack begin. */
export const stage = `\${self:service}-\${sls:stage}`;
/** The alarms. Their names are those of their sections in docs/operations.md. */
export const alarms = propertiesOf('AWS::CloudWatch::Alarm').map((alarm) => ({
  name: `${alarm.AlarmName}`.replace(`${stage}-`, ''),
  mail: `${alarm.AlarmDescription}`,
  alarm,
}));

/** The text of the dashboard, and the values of its variables. */
export const [dashboard = '', dashboardValues] =
  template.Resources.Dashboard?.Properties.DashboardBody['Fn::Sub'] ?? [];
type Widget = {
  readonly region: string;
  readonly metrics?: readonly (readonly unknown[])[];
  readonly query?: string;
};
/** What the widgets of the dashboard show. */
export const readWidgets = (): readonly Widget[] => {
  if (dashboard === '')
    throw new Error('monitoring.yml has no dashboard. If it should not, remove this test');
  try {
    return JSON.parse(dashboard).widgets.map(({ properties }: { properties: Widget }) => properties);
  } catch (error) {
    throw new Error(`monitoring.yml: the text of the dashboard is not JSON with widgets: ${error}`);
  }
};

/** The value of a param. */
export const param = (name: string) => `\${param:${name}}`;

const words = 'none one two three four five six seven eight nine ten eleven twelve'.split(' ');
/** A number as the pages write it. */
export const inWords = (count: number): string => words[count] ?? `${count}`;
