import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';
import { projectRoot } from '#local/project.ts';
import { resolveVariables } from './service-variables.ts';

const KeyElement = z.object({ AttributeName: z.string(), KeyType: z.enum(['HASH', 'RANGE']) });

const TablePropertiesSchema = z.object({
  TableName: z.string(),
  BillingMode: z.literal('PAY_PER_REQUEST'),
  AttributeDefinitions: z.array(
    z.object({ AttributeName: z.string(), AttributeType: z.enum(['S', 'N', 'B']) }),
  ),
  KeySchema: z.array(KeyElement),
  TimeToLiveSpecification: z.optional(z.object({ AttributeName: z.string(), Enabled: z.boolean() })),
});

const TableResource = z.object({
  Type: z.literal('AWS::DynamoDB::Table'),
  Properties: TablePropertiesSchema,
});

const OtherResource = z
  .object({ Type: z.string().refine((type) => type !== 'AWS::DynamoDB::Table') })
  .transform(() => undefined);

const ServiceSchema = z.object({
  functions: z.object({
    updateFile: z.object({
      memorySize: z.number(),
      timeout: z.number(),
      environment: z.object({
        API_KEYS_TABLE: z.string(),
        SPACES_TABLE: z.string(),
        FILES_TABLE: z.string(),
      }),
    }),
  }),
  resources: z.object({ Resources: z.record(z.string(), z.union([TableResource, OtherResource])) }),
});

/** A table as serverless.yml defines it, in CloudFormation's words. */
export type TableProperties = z.infer<typeof TablePropertiesSchema>;

/** Table names by the name of the environment variable through which the function learns them. */
export type TableNames = { API_KEYS_TABLE: string; SPACES_TABLE: string; FILES_TABLE: string };

/** What runs locally: `timeoutSeconds` and `memoryMegabytes` are the function's. */
export type Service = {
  timeoutSeconds: number;
  memoryMegabytes: number;
  tableNames: TableNames;
  tables: TableProperties[];
};

/** Reads serverless.yml for the stage `dev`, the only source of the tables and of the function's limits. */
export const readService = (): Service => {
  const yaml: unknown = parse(readFileSync(join(projectRoot, 'serverless.yml'), 'utf8'));
  const { functions, resources } = ServiceSchema.parse(resolveVariables(yaml, 'dev'));
  const { memorySize, timeout, environment } = functions.updateFile;
  return {
    timeoutSeconds: timeout,
    memoryMegabytes: memorySize,
    tableNames: environment,
    tables: Object.values(resources.Resources).flatMap((resource) => resource?.Properties ?? []),
  };
};
