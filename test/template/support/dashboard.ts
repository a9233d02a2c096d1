import * as z from 'zod';
import { metricName } from './metrics.ts';
import { type Template, textAt } from './template.ts';

const BodySchema = z.strictObject({
  widgets: z.array(
    z.object({
      type: z.enum(['metric', 'log']),
      properties: z.object({
        title: z.string(),
        metrics: z.optional(z.array(z.array(z.unknown()))),
        query: z.optional(z.string()),
      }),
    }),
  ),
});

/** The widgets of the dashboard, references as their logical ids. Throws where the body is not what CloudWatch reads. */
export const widgetsOf = (template: Template) => {
  const body = textAt(template, 'Resources.Dashboard.Properties.DashboardBody.Fn::Sub');
  return BodySchema.parse(JSON.parse(body.replace(/\$\{([\w:]+)\}/g, '$1'))).widgets;
};

/** In a row of a widget, "." stands for what the row above has there. */
const spelledOut = (rows: readonly (readonly unknown[])[]): string[][] => {
  const spelled: string[][] = [];
  for (const row of rows) {
    const words = row.filter((word) => typeof word === 'string');
    spelled.push(words.map((word, place) => (word === '.' ? (spelled.at(-1)?.[place] ?? '') : word)));
  }
  return spelled;
};

/** The metrics that the dashboard draws. */
export const metricsOfDashboard = (template: Template): readonly string[] =>
  widgetsOf(template)
    .flatMap(({ properties }) => spelledOut(properties.metrics ?? []))
    .map(([namespace = '', metric = '', ...rest]) => {
      const dimensions = rest.flatMap((name, place) =>
        place % 2 === 0 ? [`${name}=${rest[place + 1] ?? ''}`] : [],
      );
      return metricName(namespace, metric, dimensions);
    });
