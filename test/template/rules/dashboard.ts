import { metricsOfDashboard, widgetsOf } from '../support/dashboard.ts';
import { metricsOf } from '../support/metrics.ts';
import type { Rule } from '../support/rule.ts';
import type { Template } from '../support/template.ts';

const body = 'Resources.Dashboard.Properties.DashboardBody.Fn::Sub';
const readable = (template: Template) => {
  try {
    return widgetsOf(template).length > 0;
  } catch {
    return false;
  }
};
const drawing = (...metrics: string[]) =>
  JSON.stringify({ widgets: [{ type: 'metric', properties: { title: 'x', metrics: [metrics] } }] });

/** What one looks at first. */
export const dashboardRules: readonly Rule[] = [
  {
    name: 'the dashboard can be read',
    check: (template) => (readable(template) ? [] : ['the body is not what CloudWatch reads']),
    broken: [[body, '{"widgets": [}'], [body, '{"widgets": []}'], [body]],
  },
  {
    name: 'it draws metrics that this stack makes',
    check: (template) => {
      if (!readable(template)) return [];
      const made = metricsOf(template);
      return metricsOfDashboard(template).filter((metric) => !made.has(metric));
    },
    broken: [
      [body, drawing('AWS/Lambda', 'Errors')],
      [body, drawing('AWS/Lambda', 'Errors', 'FunctionName', 'other')],
      [body, drawing('space-files/dev', 'Other')],
    ],
  },
  {
    name: 'it draws all that is made from the log',
    check: (template) => {
      const drawn = readable(template) ? metricsOfDashboard(template) : [];
      return [...metricsOf(template)].filter(
        (metric) => !metric.startsWith('AWS/') && !drawn.includes(metric),
      );
    },
    broken: [[body, drawing('space-files/dev', 'Timeouts')], [body]],
  },
];
