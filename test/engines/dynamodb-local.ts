import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, renameSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestProject } from 'vitest/node';
import { freePort } from '#tools/dev-server/engine.ts';
import { projectRoot } from '#tools/project.ts';
import { missingTools } from '#test/support/missing-tools.ts';

const pom = join(import.meta.dirname, 'pom.xml');
const jars = join(projectRoot, 'node_modules', '.cache', 'dynamodb-local-3.1.0');
const hasStarted = (endpoint: string) =>
  fetch(endpoint).then(
    () => true,
    () => false,
  );

/** Starts DynamoDB Local in memory on a free port. Maven downloads its jars (50 MB) with the first run. */
const start = async () => {
  const missing = missingTools(['java', 'mvn']);
  if (missing.length > 0 || process.arch !== 'x64')
    throw new Error(
      'DynamoDB Local needs an x64 machine with Java 17 and Maven (`apt-get install openjdk-17-jre-headless maven` ' +
        'on Debian). To use any other engine, set AWS_ENDPOINT_URL_DYNAMODB.',
    );
  if (!existsSync(jars)) {
    const goal = ['dependency:copy-dependencies', '-DincludeScope=runtime', `-DoutputDirectory=${jars}.part`];
    execFileSync('mvn', ['-B', '-q', '-f', pom, ...goal], { stdio: 'inherit' });
    renameSync(`${jars}.part`, jars);
  }
  const jar = readdirSync(jars).find((name) => name.startsWith('DynamoDBLocal-')) ?? '';
  const port = await freePort();
  const classes = ['-cp', [join(jars, jar), join(jars, '*')].join(delimiter)];
  const main = [
    'software.amazon.dynamodb.services.local.main.ServerRunner',
    '-inMemory',
    '-disableTelemetry',
  ];
  const options = [`-Djava.library.path=${jars}`, ...classes, ...main, '-port', String(port)];
  const engine = spawn('java', options, { stdio: ['ignore', 'ignore', 'inherit'] });
  process.on('exit', () => engine.kill());
  const endpoint = `http://127.0.0.1:${port}`;
  while (!(await hasStarted(endpoint))) {
    if (engine.exitCode !== null) throw new Error(`DynamoDB Local ended with ${engine.exitCode}`);
    await sleep(50);
  }
  const stop = async () => {
    engine.kill();
    if (engine.exitCode === null) await once(engine, 'exit');
  };
  return { endpoint, stop };
};

/** One engine for the whole run, in place of the embedded one. */
export default async (project: TestProject) => {
  const given = process.env['AWS_ENDPOINT_URL_DYNAMODB'];
  const { endpoint, stop } = given ? { endpoint: given, stop: undefined } : await start();
  project.provide('endpoint', endpoint);
  // Some tests start processes of their own, which read it from the environment.
  process.env['AWS_ENDPOINT_URL_DYNAMODB'] = endpoint;
  process.stdout.write(`The tests run on ${given ?? `DynamoDB Local at ${endpoint}`}.\n`);
  return stop;
};
