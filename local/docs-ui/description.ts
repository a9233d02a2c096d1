import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';
import { projectRoot } from '#local/project.ts';

const DescriptionSchema = z.looseObject({
  components: z.looseObject({
    securitySchemes: z.record(z.string(), z.looseObject({ type: z.string() })),
  }),
});

/** What the page needs to know of the API description. The rest is passed on as it stands. */
export type Description = z.infer<typeof DescriptionSchema>;

/** Reads openapi.yaml. */
export const readDescription = (): Description =>
  DescriptionSchema.parse(parse(readFileSync(join(projectRoot, 'openapi.yaml'), 'utf8')));

/** The name of the security scheme for API keys, or undefined when there is none. */
export const apiKeySchemeOf = ({ components }: Description): string | undefined =>
  Object.entries(components.securitySchemes).find(([, { type }]) => type === 'apiKey')?.[0];
