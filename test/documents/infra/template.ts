import { copyFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { bareEnvironment, run } from '#test/support/processes.ts';
import { projectRoot } from '#tools/project.ts';

const AnyObject = z.record(z.string(), z.unknown());
const ResourceSchema = z.looseObject({ Type: z.string(), Properties: AnyObject });
const TemplateSchema = z.looseObject({ Resources: z.record(z.string(), ResourceSchema) });
const StateSchema = z.object({ service: z.object({ provider: z.object({ stackTags: AnyObject }) }) });

/** As `serverless package` wrote it, with the tags of the stack, and without the time of packaging. */
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
  for (const name of ['update-file.cjs', 'update-file.cjs.map'])
    writeFileSync(join(folder, 'dist', name), '');
  const serverless = join(projectRoot, 'node_modules/serverless/bin/serverless.js');
  const { code, stdout, stderr } = await run([serverless, 'package', ...options], bareEnvironment(), folder);
  if (code !== 0) throw new Error(`serverless package ${options.join(' ')}\n${stdout}${stderr}`);
  const packaged = join(folder, '.serverless');
  const read = (name: string) => readFileSync(join(packaged, name), 'utf8');
  const written = read('cloudformation-template-update-stack.json').replace(
    /(?<=\/)\d{13}-[\w:.-]+Z(?=\/)/,
    'TIME',
  );
  const { stackTags } = StateSchema.parse(JSON.parse(read('serverless-state.json'))).service.provider;
  return {
    template: TemplateSchema.parse({ ...JSON.parse(written), stackTags }),
    files: readdirSync(packaged),
    zipped: readFileSync(join(packaged, 'space-files.zip')),
  };
};
