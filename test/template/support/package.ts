import { copyFileSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { bareEnvironment, run } from '#test/support/processes.ts';
import { projectRoot } from '#tools/project.ts';
import { type Template, TemplateSchema } from './template.ts';

const StateSchema = z.object({
  service: z.object({ provider: z.object({ stackTags: z.record(z.string(), z.string()) }) }),
});

/** What `serverless package` wrote, without credentials: the template, and the tags it would give the stack. */
export type Packaged = { template: Template; stackTags: Record<string, string> };

/**
 * Packages with these further options, in a new folder that looks like the project: the framework works in
 * .serverless beside serverless.yml, which is the developer's, and can be one's only at a time. Rejects with what was
 * printed when it fails.
 */
export const packageService = async (folder: string, options: readonly string[]): Promise<Packaged> => {
  mkdirSync(folder);
  copyFileSync(join(projectRoot, 'serverless.yml'), join(folder, 'serverless.yml'));
  for (const name of ['package.json', 'node_modules', 'tools', 'dist'])
    symlinkSync(join(projectRoot, name), join(folder, name));
  const serverless = join(projectRoot, 'node_modules/serverless/bin/serverless.js');
  const { code, stdout, stderr } = await run([serverless, 'package', ...options], bareEnvironment(), folder);
  if (code !== 0) throw new Error(`serverless package ${options.join(' ')}\n${stdout}${stderr}`);
  const read = (file: string): unknown => JSON.parse(readFileSync(join(folder, '.serverless', file), 'utf8'));
  return {
    template: TemplateSchema.parse(read('cloudformation-template-update-stack.json')),
    stackTags: StateSchema.parse(read('serverless-state.json')).service.provider.stackTags,
  };
};
