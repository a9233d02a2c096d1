import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { projectRoot } from '#tools/project.ts';
import updated from '../../events/updated-rest.json' with { type: 'json' };

const ResourceSchema = z.object({
  Type: z.string(),
  Properties: z.looseObject({
    PathPart: z.string().optional(),
    ParentId: z.object({ Ref: z.string() }).optional(),
    ResourceId: z.object({ Ref: z.string() }).optional(),
    HttpMethod: z.string().optional(),
  }),
});
const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8');
const resources = z.record(z.string(), ResourceSchema).parse(parse(read('docs/rest-api.yaml')).Resources);

const pathOf = (name: string): string => {
  const { PathPart, ParentId } = resources[name]?.Properties ?? {};
  return PathPart && ParentId ? `${pathOf(ParentId.Ref)}/${PathPart}` : '';
};

test('docs/rest-api.yaml adds the route of serverless.yml and of events/updated-rest.json', () => {
  const { HttpMethod, ResourceId } = resources['UpdateFile']?.Properties ?? {};
  const path = pathOf(ResourceId?.Ref ?? '');
  expect(read('serverless.yml')).toContain(`- httpApi: ${HttpMethod} ${path}\n`);
  expect([updated.httpMethod, updated.resource]).toEqual([HttpMethod, path]);
});
