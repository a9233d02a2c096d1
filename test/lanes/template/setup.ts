import { join, resolve } from 'node:path';
import type { TestProject } from 'vitest/node';
import { bareEnvironment, copyProject, run, temporaryFolder } from '#test/support/processes.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A copy of the project, in which a test may package too. */
    copy: string;
    /** The folder with the packages: of stages, and `code-cache`, which is prod with a code cache. */
    packages: string;
    /** What packaging has printed, by package. */
    printed: Readonly<Record<string, string>>;
  }
}

/** Runs `serverless package` without credentials. */
export const packageService = (copy: string, ...options: string[]) =>
  run(
    ['node_modules/serverless/bin/serverless.js', 'package', ...options],
    bareEnvironment({ COMMIT: '4de15dad' }),
    copy,
  );

/**
 * Packages each stage once, in a copy, because packaging replaces dist/ and .serverless/, and prod also with a code cache.
 * With PACKAGES, the packages stay in that folder: `.ci/run template` gives them to cfn-lint and checkov.
 */
export default async (project: TestProject) => {
  const { path, remove } = temporaryFolder();
  const copy = join(path, 'copy');
  const packages = resolve(process.env['PACKAGES'] || join(path, 'packages'));
  copyProject(copy);
  const printed: Record<string, string> = {};
  for (const [name, ...options] of [
    ['dev', '--stage', 'dev'],
    ['staging', '--stage', 'staging'],
    ['prod', '--stage', 'prod'],
    ['code-cache', '--stage', 'prod', '--param', 'codeCache=true'],
  ] as const) {
    const { code, stdout, stderr } = await packageService(
      copy,
      ...options,
      '--package',
      join(packages, name),
    );
    if (code !== 0) throw new Error(`serverless package ended with ${code}: ${stdout}${stderr}`);
    printed[name] = stderr;
  }
  project.provide('copy', copy);
  project.provide('packages', packages);
  project.provide('printed', printed);
  return remove;
};
