import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';
import { projectRoot } from '#tools/project.ts';

/** What a local table needs of its description in CloudFormation. */
const TableSchema = z
  .object({
    Properties: z.object({
      BillingMode: z.literal('PAY_PER_REQUEST'),
      AttributeDefinitions: z.array(z.object({ AttributeName: z.string(), AttributeType: z.literal('S') })),
      KeySchema: z.array(z.object({ AttributeName: z.string(), KeyType: z.enum(['HASH', 'RANGE']) })),
    }),
  })
  .transform(({ Properties }) => Properties);

const ServiceSchema = z.object({
  functions: z.object({ updateFile: z.object({ memorySize: z.int(), timeout: z.int() }) }),
  resources: z.object({
    Resources: z.object({ ApiKeysTable: TableSchema, SpacesTable: TableSchema, FilesTable: TableSchema }),
  }),
});

/** Reads the limits of the function and the keys of the tables from serverless.yml, which alone defines them. */
export const readService = () => {
  const yaml: unknown = parse(readFileSync(join(projectRoot, 'serverless.yml'), 'utf8'));
  const { functions, resources } = ServiceSchema.parse(yaml);
  return { limits: functions.updateFile, tables: resources.Resources };
};

/** The limits of the function: megabytes and seconds. */
export type Limits = ReturnType<typeof readService>['limits'];
