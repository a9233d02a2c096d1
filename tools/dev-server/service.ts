import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';
import { projectRoot } from '#tools/project.ts';

/** The table names, by the environment variables of the function. */
export const TableNamesSchema = z.object({
  API_KEYS_TABLE: z.string(),
  SPACES_TABLE: z.string(),
  FILES_TABLE: z.string(),
});
export type TableNames = z.infer<typeof TableNamesSchema>;

/** What a local table needs of its description in CloudFormation. */
const TableSchema = z.object({
  TableName: z.string(),
  BillingMode: z.literal('PAY_PER_REQUEST'),
  AttributeDefinitions: z.array(z.object({ AttributeName: z.string(), AttributeType: z.literal('S') })),
  KeySchema: z.array(z.object({ AttributeName: z.string(), KeyType: z.enum(['HASH', 'RANGE']) })),
});

const VariablesSchema = z.object({
  service: z.string(),
  params: z.record(z.string(), z.record(z.string(), z.union([z.string(), z.number()]))),
});

const ServiceSchema = z.object({
  functions: z.object({
    updateFile: z.object({
      handler: z.string(),
      memorySize: z.int(),
      timeout: z.int(),
      environment: TableNamesSchema,
    }),
  }),
  provider: z.object({ runtime: z.string(), architecture: z.string() }),
  resources: z.object({
    Resources: z.record(z.string(), z.looseObject({ Type: z.string(), Properties: z.unknown() })),
  }),
});

/** Replaces `${self:service}`, `${sls:stage}` and `${param:...}` in every string. Other variables stay. */
const resolveVariables = (yaml: unknown): unknown => {
  const { service, params } = VariablesSchema.parse(yaml);
  const own = Object.entries({ ...params['default'], ...params['dev'] });
  const values = new Map<string, string | number>([
    ['self:service', service],
    ['sls:stage', 'dev'],
    ...own.map(([name, value]) => [`param:${name}`, value] as const),
  ]);
  const resolve = (text: string): string =>
    text.replace(/\$\{([\w:]+)\}/g, (variable, name: string) => {
      const value = values.get(name);
      return value === undefined ? variable : resolve(String(value));
    });
  return JSON.parse(JSON.stringify(yaml), (_, value: unknown) =>
    typeof value === 'string' ? resolve(value) : value,
  );
};

/** Reads the function, its limits and the tables of stage `dev` from serverless.yml, which alone defines them. */
export const readService = () => {
  const yaml: unknown = parse(readFileSync(join(projectRoot, 'serverless.yml'), 'utf8'));
  const { provider, functions, resources } = ServiceSchema.parse(resolveVariables(yaml));
  const { handler, memorySize, timeout, environment } = functions.updateFile;
  const tables = Object.values(resources.Resources).filter(({ Type }) => Type === 'AWS::DynamoDB::Table');
  return {
    handler,
    ...provider,
    timeoutSeconds: timeout,
    memoryMegabytes: memorySize,
    tableNames: environment,
    tables: tables.map(({ Properties }) => TableSchema.parse(Properties)),
  };
};
export type Service = ReturnType<typeof readService>;
