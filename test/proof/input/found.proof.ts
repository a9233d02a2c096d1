import { test } from 'vitest';
import { expectQuick } from './support/expect-quick.ts';
import { answer, type Generator } from './support/generator.ts';
import { config, createMemoryClient } from './support/memory-client.ts';
import { createBadRequestRunner } from './support/run-bad-request.ts';

const FILE = 'test/proof/input/found.proof.ts';

/** Requests that generators found to fail, kept as they were found. */
const found: readonly Generator[] = [
  {
    name: 'a Content-Type of 10,000 spaces took 0.25 s of CPU, one of 100,000 took 18 s',
    make: () => ({
      headers: { 'content-type': `application/json${' '.repeat(10_000)}x` },
      expected: [answer.mediaType],
    }),
  },
  {
    name: 'a user id of megabytes was looked at character by character: 0.25 s of CPU',
    make: () => ({
      headers: { 'x-user-id': '😀'.repeat(1_500_000) },
      expected: ['400 x-user-id is invalid'],
    }),
  },
];

test.each(found)('$name', async (generator) => {
  const { run } = createBadRequestRunner({ ...createMemoryClient(), config }, FILE);
  expectQuick((await run(generator, 0)).ms, generator.name, 0, FILE);
});
