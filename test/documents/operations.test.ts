// Tells what an operation lacks: each function of serverless.yml needs more than its handler.
import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { operations } from '#test/support/openapi.ts';
import { read } from '#test/support/pages.ts';
import { projectRoot } from '#tools/project.ts';
import { readServerlessConfig } from '#tools/serverless-config.ts';

const ConfigSchema = z.object({
  functions: z.record(z.string(), z.object({ role: z.string() })),
  resources: z.tuple([
    z.object({
      Resources: z.record(z.string(), z.object({ Type: z.string() })),
      extensions: z.record(z.string(), z.unknown()),
    }),
    z.unknown(),
  ]),
});
const { functions, resources } = ConfigSchema.parse(parse(read('serverless.yml')));
const [{ Resources, extensions }] = resources;
const testsOfRequests = globSync('test/requests/**/*.ts', { cwd: projectRoot }).map(read);
const { functions: described } = readServerlessConfig();

test.each(described)('the function $name has what an operation needs', ({ name, file, routeKey }) => {
  const role = functions[name]?.role ?? '';
  const logicalId = `${name.charAt(0).toUpperCase()}${name.slice(1)}LambdaFunction`;
  const needs: readonly [isThere: boolean, need: string][] = [
    [globSync(`handlers/${file}.ts`, { cwd: projectRoot }).length === 1, `handlers/${file}.ts`],
    [Resources[role]?.Type === 'AWS::IAM::Role', `serverless.yml: the role ${role}, under Resources`],
    // The rights of a role are those that the calls of one operation need (stack.test.ts).
    [
      Object.values(functions).filter((other) => other.role === role).length === 1,
      `serverless.yml: a role of its own, and not ${role}, which another function has`,
    ],
    [logicalId in extensions, `serverless.yml: ${logicalId}, under extensions`],
    [operations.includes(routeKey), `openapi.yaml: ${routeKey}`],
    [read('docs/contract.md').includes(routeKey), `docs/contract.md: ${routeKey}`],
    [
      testsOfRequests.some((text) => text.includes(`'#handlers/${file}.ts'`)),
      `test/requests: tests of handlers/${file}.ts`,
    ],
  ];
  expect(needs.filter(([isThere]) => !isThere).map(([, need]) => need)).toEqual([]);
});
