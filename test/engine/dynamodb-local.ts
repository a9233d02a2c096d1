import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, renameSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestProject } from 'vitest/node';
import { freeAddress, spawnBound } from '#tools/dev-server/engine.ts';
import { projectRoot } from '#tools/project.ts';

const pom = join(import.meta.dirname, 'pom.xml');
const jars = join(projectRoot, 'node_modules', '.cache', 'dynamodb-local-3.1.0');

/** Downloads DynamoDB Local and its libraries (50 MB) by Maven, once. */
const download = () => {
  if (existsSync(jars)) return;
  const goal = ['dependency:copy-dependencies', '-DincludeScope=runtime', `-DoutputDirectory=${jars}.part`];
  execFileSync('mvn', ['-B', '-q', '-f', pom, ...goal], { stdio: 'inherit' });
  renameSync(`${jars}.part`, jars);
};

const isListening = (endpoint: string) => fetch(endpoint).then(Boolean, () => false);

const dynamodbLocal = (port: string): readonly string[] => {
  download();
  const jar = readdirSync(jars).find((name) => name.startsWith('DynamoDBLocal-')) ?? '';
  const classes = [join(jars, jar), join(jars, '*')].join(delimiter);
  const main = 'software.amazon.dynamodb.services.local.main.ServerRunner';
  const options = ['-inMemory', '-disableTelemetry', '-port', port];
  return ['java', `-Djava.library.path=${jars}`, '-cp', classes, main, ...options];
};

/** Starts a program on a free port, and waits until it listens. Throws with what it has printed if it ends before. */
export const startListening = async (commandFor: (port: string) => readonly string[]) => {
  const { port } = await freeAddress('127.0.0.1');
  const [program = '', ...args] = commandFor(port);
  const { child, stop } = spawnBound(program, args);
  child.stdout.resume();
  let printed = '';
  child.stderr.on('data', (chunk) => {
    printed = `${printed}${chunk}`.slice(-2_000);
  });
  const endpoint = `http://127.0.0.1:${port}`;
  while (!(await isListening(endpoint))) {
    if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}: ${printed}`);
    await sleep(50);
  }
  return { endpoint, stderr: child.stderr, stop };
};

/** One DynamoDB Local for the whole run, in memory on a free port. */
export default async (project: TestProject) => {
  const { endpoint, stop } = await startListening(dynamodbLocal);
  project.provide('endpoint', endpoint);
  // Some tests start processes of their own, which read it from the environment.
  process.env['AWS_ENDPOINT_URL_DYNAMODB'] = endpoint;
  return stop;
};
