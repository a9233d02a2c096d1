import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bareEnvironment } from '#test/support/processes.ts';
import { projectRoot } from '#tools/project.ts';

const page = readFileSync(join(projectRoot, 'docs', 'client.md'), 'utf8');

/** A fenced block of docs/client.md, and the heading above it. */
export type Block = { readonly heading: string; readonly language: string; readonly code: string };

/** All blocks of the page in their order. */
export const readBlocks = (): readonly Block[] =>
  page.split(/^## /m).flatMap((section) =>
    [...section.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language = '', code = '']) => ({
      heading: section.split('\n')[0] ?? '',
      language,
      code,
    })),
  );

/** The block of that language under the heading, for the service at `url`. */
export const readBlock = (heading: string, language: string, url: string): string => {
  const block = readBlocks().find(
    (candidate) => candidate.heading === heading && candidate.language === language,
  );
  if (!block) throw new Error(`docs/client.md has no ${language} under ${heading}`);
  return block.code.replaceAll('http://localhost:3000', url);
};

/** Runs a program in the project's folder and gives what it printed; rejects when it fails. */
export const execute = (program: string, args: string[], more: Record<string, string> = {}) =>
  // The service is on this machine, whatever proxy the machine has.
  promisify(execFile)(program, args, {
    cwd: projectRoot,
    env: bareEnvironment({ no_proxy: '127.0.0.1', ...more }),
  });

/** The codes of the page's table of errors. */
export const readCodes = (): readonly string[] =>
  [...page.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, code = '']) => code);
