import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';
import { projectRoot } from '#tools/project.ts';

const RefSchema = z.object({ $ref: z.string() });
const ResponseSchema = z.object({
  headers: z.record(z.string(), RefSchema).default({}),
  content: z.strictObject({
    'application/json': z.object({
      schema: z.record(z.string(), z.unknown()),
      examples: z.record(z.string(), z.object({ description: z.string().optional(), value: z.unknown() })),
    }),
  }),
});
const ParameterSchema = z.object({ schema: z.record(z.string(), z.unknown()), example: z.string() });
const HeaderSchema = z.object({
  required: z.boolean().default(false),
  schema: z.record(z.string(), z.unknown()),
});

/** The parts of the committed openapi.yaml that the tests look at. */
const DocumentSchema = z.object({
  paths: z.strictObject({
    '/v1/spaces/{spaceId}/files/{fileId}': z.strictObject({
      patch: z.object({
        requestBody: z.object({ content: z.record(z.string(), z.object({ schema: RefSchema })) }),
        responses: z.record(z.string(), ResponseSchema),
      }),
    }),
  }),
  components: z.object({
    parameters: z.record(z.string(), ParameterSchema),
    headers: z.record(z.string(), HeaderSchema),
    schemas: z.record(z.string(), z.record(z.string(), z.unknown())),
  }),
});

/** The text of openapi.yaml as it is committed. */
export const yamlText = readFileSync(join(projectRoot, 'openapi.yaml'), 'utf8');

/** What YAML makes of it. */
export const wholeDocument: object = z.looseObject({}).parse(parse(yamlText));

const { paths, components } = DocumentSchema.parse(wholeDocument);

export { components };
/** The one operation. */
export const operation = paths['/v1/spaces/{spaceId}/files/{fileId}'].patch;

/** What the document says of a status, if it says anything. */
export const responseOf = (status: number) => operation.responses[status];

/** The messages that stand as examples of a status. */
export const messagesOf = (status: number): readonly string[] =>
  Object.values(responseOf(status)?.content['application/json'].examples ?? {}).map(
    ({ value }) => z.object({ message: z.string() }).parse(value).message,
  );
