import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { UsageError } from '#tools/cli.ts';
import { projectRoot } from '#tools/project.ts';

const pom = join(import.meta.dirname, 'pom.xml');

/**
 * The folder of DynamoDB Local and its libraries as pom.xml names them. Maven fetches them with the first run, some 50 MB.
 *
 * @throws {UsageError} when Maven cannot get them
 */
export const fetchJars = async (): Promise<string> => {
  const hash = createHash('sha256').update(readFileSync(pom)).digest('hex').slice(0, 12);
  const folder = join(projectRoot, 'node_modules', '.cache', 'dynamodb-local', hash);
  if (existsSync(folder)) return folder;
  process.stdout.write('Maven fetches DynamoDB Local; this is done once and takes minutes.\n');
  const draft = `${folder}.${process.pid}`;
  await mkdir(dirname(folder), { recursive: true });
  try {
    await copyDependencies(draft);
    await rename(draft, folder);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return folder;
};

const copyDependencies = async (folder: string): Promise<void> => {
  const goal = ['dependency:copy-dependencies', '-DincludeScope=runtime', `-DoutputDirectory=${folder}`];
  const maven = spawn('mvn', ['-B', '-q', '-f', pom, ...goal], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [printed, [code]] = await Promise.all([text(maven.stdout), once(maven, 'close')]);
  if (code === 0) return;
  const reason = /\[ERROR\] (.*)/.exec(printed)?.[1] ?? `it ended with ${code}`;
  throw new UsageError(`Maven could not get DynamoDB Local: ${reason}`);
};
