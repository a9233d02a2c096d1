import { copyFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { bareEnvironment, run } from '#test/support/processes.ts';
import { projectRoot } from '#tools/project.ts';

const AnyObject = z.record(z.string(), z.unknown());
const ResourceSchema = z.looseObject({ Type: z.string(), Properties: AnyObject });
const TemplateSchema = z.looseObject({ Resources: z.record(z.string(), ResourceSchema) });
const StateSchema = z.object({ service: z.object({ provider: z.object({ stackTags: AnyObject }) }) });

/** As `serverless package` wrote it, with its tags, with texts that are JSON parsed, and without the ignored values. */
export type Template = z.infer<typeof TemplateSchema>;

/** Attributes that no assertion is about, each with its reason. */
const ignored: readonly (readonly [names: RegExp, reason: string])[] = [
  [/^(AWSTemplateFormatVersion|Metadata)$/, 'one version only; configures cfn-lint, checkov and cfn-guard'],
  [/^(Description|Label)$/, 'text for people'],
  [/^AlarmDescription$/, 'text for people, which other tests read'],
  [/^(type|width|height|region|period|view)$/, 'layout of the dashboard'],
  [/^(Export|DependsOn)$/, 'the framework writes it: no stack imports it; the order of creation'],
  [/^S3Key$/, 'contains the time of packaging'],
];

/** Leaves out what is ignored, and parses texts that are JSON. */
const normalize = (name: string, value: unknown): unknown => {
  if (ignored.some(([names]) => names.test(name))) return undefined;
  return typeof value === 'string' && value.startsWith('{"') ? JSON.parse(value, normalize) : value;
};

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
  for (const name of ['update-file.cjs', 'update-file.cjs.map'])
    writeFileSync(join(folder, 'dist', name), '');
  const serverless = join(projectRoot, 'node_modules/serverless/bin/serverless.js');
  const { code, stdout, stderr } = await run([serverless, 'package', ...options], bareEnvironment(), folder);
  if (code !== 0) throw new Error(`serverless package ${options.join(' ')}\n${stdout}${stderr}`);
  const packaged = join(folder, '.serverless');
  const read = (name: string) => readFileSync(join(packaged, name), 'utf8');
  const written = read('cloudformation-template-update-stack.json');
  const { stackTags } = StateSchema.parse(JSON.parse(read('serverless-state.json'))).service.provider;
  return {
    /** The template as it is. */
    written,
    template: TemplateSchema.parse({ ...JSON.parse(written, normalize), stackTags }),
    files: readdirSync(packaged),
    zipped: readFileSync(join(packaged, 'space-files.zip')),
  };
};
