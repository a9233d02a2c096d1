import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { projectRoot } from '#tools/project.ts';
import { anchorsOf } from './support/markdown.ts';

const AlarmSchema = z.object({
  Type: z.literal('AWS::CloudWatch::Alarm'),
  Properties: z.object({ AlarmName: z.string(), AlarmDescription: z.string() }),
});
const ConfigSchema = z.object({
  resources: z.object({ Resources: z.record(z.string(), z.object({ Type: z.string() }).loose()) }),
});

const { resources } = ConfigSchema.parse(parse(readFileSync(join(projectRoot, 'serverless.yml'), 'utf8')));
const alarms = Object.values(resources.Resources)
  .filter(({ Type }) => Type === 'AWS::CloudWatch::Alarm')
  .map((resource) => AlarmSchema.parse(resource).Properties)
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as serverless.yml has it.
  .map((alarm) => ({ ...alarm, name: alarm.AlarmName.replace('${self:service}-${sls:stage}-', '') }));
const names = alarms.map(({ name }) => name);

const page = readFileSync(join(projectRoot, 'docs/operations.md'), 'utf8');
/** What stands under a heading of the second level. */
const part = (heading: string) => page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? '';

test('there are alarms, and no name stands twice', () => {
  expect(names.length).toBeGreaterThan(5);
  expect(new Set(names).size).toBe(names.length);
});

test('each alarm has its section in docs/operations.md, and each section its alarm, in the same order', () => {
  expect(anchorsOf(`## ${part('Alarms')}`).slice(1)).toEqual(names);
});

test('who was woken finds each alarm in the first table', () => {
  expect([...part('You were woken').matchAll(/^\| \[([^\]]+)\]\(#\1\)/gm)].map(([, name]) => name)).toEqual(
    names,
  );
});

test.each(alarms)('$name says where to read on', ({ name, AlarmDescription }) => {
  expect(AlarmDescription).toMatch(new RegExp(`What to do: docs/operations\\.md#${name}$`));
});
