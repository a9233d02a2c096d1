import { expect, test } from 'vitest';
import { startEngine } from '#local/engine/engine.ts';
import { engineBinary } from '#local/engine/engine-binary.ts';

const answers = (endpoint: string) =>
  fetch(endpoint).then(
    ({ ok }) => ok,
    () => false,
  );

test('the engine answers once it has started, and is gone once it has stopped', async () => {
  const engine = await startEngine();
  expect(await answers(engine.endpoint)).toBe(true);
  await engine.stop();
  await engine.exited;
  expect(await answers(engine.endpoint)).toBe(false);
  await engine.stop();
});

test('engines run side by side', async () => {
  const engines = await Promise.all([startEngine(), startEngine(), startEngine()]);
  expect(new Set(engines.map(({ endpoint }) => endpoint)).size).toBe(3);
  await Promise.all(engines.map(({ stop }) => stop()));
});

test('a database file that cannot be opened is named', async () => {
  await expect(startEngine({ dbPath: '/nowhere/my.db' })).rejects.toThrow(
    'The embedded DynamoDB engine did not start with the database file /nowhere/my.db: ' +
      'Internal error: unable to open database file: /nowhere/my.db.',
  );
});

test('a platform without an engine is told what to do', () => {
  expect(() => engineBinary('sunos', 'sparc')).toThrow(
    'The embedded DynamoDB engine is not installed for sunos-sparc: install @dynoxide/sunos-sparc where it exists, ' +
      'or set AWS_ENDPOINT_URL_DYNAMODB to any DynamoDB endpoint, DynamoDB Local for one.',
  );
});
