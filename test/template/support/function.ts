import { type Template, textAt } from './template.ts';

/** The environment of the function, from where rules learn the names of the tables. */
const environment = 'Resources.UpdateFileLambdaFunction.Properties.Environment.Variables';

/** The names of the three tables, as the function is told them. */
export const tableNames = (template: Template) => ({
  apiKeys: textAt(template, `${environment}.API_KEYS_TABLE`),
  spaces: textAt(template, `${environment}.SPACES_TABLE`),
  files: textAt(template, `${environment}.FILES_TABLE`),
});

/** What every name in this stack begins with: service and stage. */
export const stackName = (template: Template): string =>
  textAt(template, 'Resources.UpdateFileLambdaFunction.Properties.FunctionName').replace(/-updateFile$/, '');

/** Where the metrics go that are made from the log line. */
export const ownNamespace = (template: Template): string =>
  stackName(template).replace(/^space-files-/, 'space-files/');
