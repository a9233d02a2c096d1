import { join, resolve } from 'node:path';
import type { TestProject } from 'vitest/node';
import { bareEnvironment, copyProject, run, temporaryFolder } from '#test/support/processes.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A copy of the project, in which a test may package too. */
    copy: string;
    /** The folder with the packages: of dev, which has params of its own, and of prod, which has the defaults. */
    packages: string;
    /** What packaging has printed, by stage. */
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
 * Packages both stages once, in a copy, because packaging replaces dist/ and .serverless/.
 * With PACKAGES, the packages stay in that folder: `.ci/run template` gives them to cfn-lint and checkov.
 */
export default async (project: TestProject) => {
  const { path, remove } = temporaryFolder();
  const copy = join(path, 'copy');
  const packages = resolve(process.env['PACKAGES'] || join(path, 'packages'));
  copyProject(copy);
  const printed: Record<string, string> = {};
  for (const stage of ['dev', 'prod']) {
    const options = ['--stage', stage, '--package', join(packages, stage)];
    const { code, stdout, stderr } = await packageService(copy, ...options);
    if (code !== 0) throw new Error(`serverless package ended with ${code}: ${stdout}${stderr}`);
    printed[stage] = stderr;
  }
  project.provide('copy', copy);
  project.provide('packages', packages);
  project.provide('printed', printed);
  return remove;
};
