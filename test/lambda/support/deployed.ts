import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { TestProject } from 'vitest/node';
import * as z from 'zod';
import { run, temporaryFolder } from '#test/support/processes.ts';

const TemplateSchema = z.object({
  Resources: z.object({
    UpdateFileLambdaFunction: z.object({
      Properties: z.object({
        Code: z.object({ S3Key: z.string() }),
        Handler: z.string(),
        MemorySize: z.int(),
        Timeout: z.int(),
      }),
    }),
  }),
});

/** What a deployment gives Lambda: the unpacked zip, the handler's name, memory in MB and the timeout in seconds. */
export type Deployed = {
  readonly folder: string;
  readonly handler: string;
  readonly memorySize: number;
  readonly timeout: number;
};

declare module 'vitest' {
  interface ProvidedContext {
    deployed: Deployed;
  }
}

/** Packages the service as a deployment does, for the whole run. */
export default async (project: TestProject) => {
  const { path, remove } = temporaryFolder();
  const packaged = join(path, 'package');
  const { code, stdout, stderr } = await run([
    'node_modules/serverless/bin/serverless.js',
    'package',
    '--package',
    packaged,
  ]);
  if (code !== 0) throw new Error(`serverless package ended with ${code}: ${stdout}${stderr}`);
  const template = readFileSync(join(packaged, 'cloudformation-template-update-stack.json'), 'utf8');
  const { Properties } = TemplateSchema.parse(JSON.parse(template)).Resources.UpdateFileLambdaFunction;
  const folder = join(path, 'task');
  mkdirSync(folder);
  // Keeps the modes of the files, and is there wherever the runtime client was built.
  execFileSync('cmake', ['-E', 'tar', 'xf', join(packaged, basename(Properties.Code.S3Key))], {
    cwd: folder,
  });
  const { Handler: handler, MemorySize: memorySize, Timeout: timeout } = Properties;
  project.provide('deployed', { folder, handler, memorySize, timeout });
  return remove;
};
