import { readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { UsageError } from '#tools/cli.ts';
import { freePort, spawnBound } from '#tools/dev-server/engine.ts';

const mainClass = 'software.amazon.dynamodb.services.local.main.ServerRunner';
const startTimeoutMs = 60_000;

const answers = (endpoint: string): Promise<boolean> =>
  fetch(endpoint).then(
    () => true,
    () => false,
  );

/**
 * Starts DynamoDB Local in memory on a free port. It ends with this process, however that one ends.
 *
 * @param folder its jar and its libraries, native ones too
 * @throws {UsageError} with what Java said, when it ends or does not answer within a minute
 */
export const startDynamoDbLocal = async (folder: string) => {
  const [jar = ''] = readdirSync(folder).filter((name) => name.startsWith('DynamoDBLocal-'));
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const classes = ['-cp', [join(folder, jar), join(folder, '*')].join(delimiter)];
  const options = ['-inMemory', '-disableTelemetry', '-port', String(port)];
  const engine = spawnBound('java', [`-Djava.library.path=${folder}`, ...classes, mainClass, ...options]);
  const said = engine.child.stderr === null ? Promise.resolve('') : text(engine.child.stderr);
  let hasEnded = false;
  engine.exited.then(() => {
    hasEnded = true;
  });
  const giveUpAt = Date.now() + startTimeoutMs;
  while (!(await answers(endpoint))) {
    if (!hasEnded && Date.now() < giveUpAt) {
      await sleep(50);
      continue;
    }
    await engine.stop();
    throw new UsageError(`DynamoDB Local did not start: ${(await said).trim() || 'it said nothing'}`);
  }
  return {
    name: jar.replace('DynamoDBLocal-', 'DynamoDB Local ').replace('.jar', ''),
    endpoint,
    stop: engine.stop,
  };
};
