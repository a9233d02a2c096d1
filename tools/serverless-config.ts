import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
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

/** `dist/update-file.handler` is the bundle of handlers/update-file.ts. */
const handlerName = z.string().regex(/^dist\/[\w-]+\.handler$/);
const limits = { memorySize: z.int(), timeout: z.int() };
const FunctionSchema = z.object({
  ...z.object(limits).partial().shape,
  handler: handlerName,
  events: z.tuple([z.object({ httpApi: z.string().regex(/^[A-Z]+ \/\S+$/) })]),
});

const TablesSchema = z.object({
  ApiKeysTable: TableSchema,
  SpacesTable: TableSchema,
  FilesTable: TableSchema,
});

const ServerlessConfigSchema = z.object({
  provider: z.object({ runtime: z.string(), architecture: z.string(), ...limits }),
  functions: z.record(z.string(), FunctionSchema),
  // The part that follows has no table.
  resources: z.tuple([z.object({ Resources: TablesSchema })], z.unknown()),
});

/** The limits of a function: megabytes and seconds. */
export type Limits = { readonly memorySize: number; readonly timeout: number };

/** A function as serverless.yml describes it. */
export type ServerlessFunction = {
  /** For example `updateFile`. */
  readonly name: string;
  /** The name of its file in handlers/, and of its bundle, without the extension: `update-file`. */
  readonly file: string;
  readonly limits: Limits;
  /** As API Gateway names it: `PATCH /v1/spaces/{spaceId}/files/{fileId}`. */
  readonly routeKey: string;
};

/**
 * Reads the runtime, the functions and the keys of the tables from serverless.yml, which alone defines them.
 */
export const readServerlessConfig = () => {
  const yaml: unknown = parse(readFileSync(join(projectRoot, 'serverless.yml'), 'utf8'));
  const {
    provider,
    functions,
    resources: [{ Resources: tables }],
  } = ServerlessConfigSchema.parse(yaml);
  const described = Object.entries(functions).map(
    ([
      name,
      { handler, events, memorySize = provider.memorySize, timeout = provider.timeout },
    ]): ServerlessFunction => ({
      name,
      file: basename(handler, '.handler'),
      limits: { memorySize, timeout },
      routeKey: events[0].httpApi,
    }),
  );
  return { ...provider, functions: described, tables };
};
