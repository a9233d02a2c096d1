import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { bareEnvironment, run } from '#test/support/processes.ts';
import { projectRoot } from '#tools/project.ts';

const AnyObject = z.record(z.string(), z.unknown());
const ResourceSchema = z.looseObject({ Type: z.string(), Properties: AnyObject });
const TemplateSchema = z.looseObject({ Resources: z.record(z.string(), ResourceSchema) });
const StateSchema = z.object({ service: z.object({ provider: z.object({ stackTags: AnyObject }) }) });

/** As `serverless package` wrote it, with texts that are JSON parsed. */
export type Template = z.infer<typeof TemplateSchema>;

/**
 * Runs `serverless package` without credentials in a new folder that looks like the project. The framework writes
 * to .serverless beside serverless.yml, so parallel runs need a folder each. Rejects with the output on failure.
 *
 * @param options of the command line, for example `--stage prod`
 */
export const packageService = async (folder: string, options: readonly string[]) => {
  mkdirSync(folder);
  copyFileSync(join(projectRoot, 'serverless.yml'), join(folder, 'serverless.yml'));
  for (const name of ['package.json', 'node_modules', 'tools'])
    symlinkSync(join(projectRoot, name), join(folder, name));
  // Not the project's dist/, which a parallel run may rebuild while this one reads it.
  mkdirSync(join(folder, 'dist'));
  writeFileSync(join(folder, 'dist', 'update-file.cjs'), '');
  const serverless = join(projectRoot, 'node_modules/serverless/bin/serverless.js');
  const { code, stdout, stderr } = await run([serverless, 'package', ...options], bareEnvironment(), folder);
  if (code !== 0) throw new Error(`serverless package ${options.join(' ')}\n${stdout}${stderr}`);
  const file = join(folder, '.serverless', 'cloudformation-template-update-stack.json');
  const read = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));
  const { stackTags } = StateSchema.parse(read(join(folder, '.serverless', 'serverless-state.json'))).service
    .provider;
  return { file, template: TemplateSchema.parse(parsed(read(file))), stackTags };
};
export type Packaged = Awaited<ReturnType<typeof packageService>>;

/** Leaves that no assertion has to notice, each with its reason. */
const ignored: readonly (readonly [path: RegExp, reason: string])[] = [
  [/^AWSTemplateFormatVersion$/, 'CloudFormation knows one version only'],
  [/^Metadata\b/, 'configures cfn-lint'],
  [/^(Outputs\.\w+\.|Resources\.AlarmKey\.Properties\.|)Description$/, 'text for people'],
  [/^Resources\.(HttpApi\.Properties\.Name|\w+\.Properties\.Metrics\.\d+\.Label)$/, 'text for people'],
  [/^Resources\.\w+\.Properties\.AlarmDescription$/, 'test/docs reads it'],
  [/\.widgets\.\d+\.(properties\.)?(type|width|height|region|stat|period|view)$/, 'layout'],
  [/^Outputs\.\w+\.Export\b/, 'the framework writes it, and no stack imports it'],
  [/^Resources\.\w+\.DependsOn\b/, 'the framework writes it: the order of creation'],
  [/^Resources\.UpdateFileLambdaFunction\.Properties\.Code\.S3Key$/, 'contains the time of packaging'],
];
export const isIgnored = (path: string): boolean => ignored.some(([pattern]) => pattern.test(path));

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
const placeIn = (path: string, name: string) => (path === '' ? name : `${path}.${name}`);

const parsed = (value: unknown): unknown => {
  if (typeof value === 'string' && value.startsWith('{"')) return JSON.parse(value);
  if (Array.isArray(value)) return value.map(parsed);
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([k, v]) => [k, parsed(v)])) : value;
};
const withoutIgnored = (value: unknown, path = ''): unknown => {
  if (Array.isArray(value)) return value.map((inner, place) => withoutIgnored(inner, `${path}.${place}`));
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([name]) => !isIgnored(placeIn(path, name)));
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutIgnored(inner, placeIn(path, name))]));
};
/** A copy without the ignored leaves. Throws where it is no template any more. */
export const relevant = (template: Template): Template => TemplateSchema.parse(withoutIgnored(template));

type Node = { path: string; parent: Record<string, unknown>; name: string; value: unknown };
const nodesOf = (parent: Record<string, unknown>, path = ''): Node[] =>
  Object.entries(parent).flatMap(([name, value]) => {
    const place = placeIn(path, name);
    return [{ path: place, parent, name, value }, ...(isObject(value) ? nodesOf(value, place) : [])];
  });
/** Wrong and wider values, and additions; undefined deletes. */
const replacements = (value: unknown): unknown[] => {
  if (typeof value === 'boolean') return [undefined, !value];
  if (typeof value === 'number') return [undefined, value + 1];
  if (Array.isArray(value)) return [undefined, [...value, '*']];
  return isObject(value)
    ? [undefined, { ...value, Unexpected: '*' }]
    : [undefined, value === '*' ? 'x' : '*'];
};
/** Changes one value at a time, yields its path while it is changed, and restores it. */
export function* mutations(template: Record<string, unknown>): Generator<string> {
  for (const { path, parent, name, value } of nodesOf(template)) {
    for (const to of replacements(value)) {
      if (Array.isArray(parent)) parent.splice(Number(name), 1, ...(to === undefined ? [] : [to]));
      else if (to === undefined) delete parent[name];
      else parent[name] = to;
      yield path;
      if (Array.isArray(parent)) parent.splice(Number(name), to === undefined ? 0 : 1, value);
      else parent[name] = value;
    }
  }
}
