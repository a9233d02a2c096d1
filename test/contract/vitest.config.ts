import { defineConfig } from 'vitest/config';

/**
 * For a service that runs. `npm run test:contract` runs all cases against CONTRACT_URL, for example http://localhost:3000;
 * CONTRACT_FIXTURE is a JSON file with the form of demo-fixture.json, which is the default. `npm run smoke` runs some of
 * them, and what only API Gateway can show: see docs/operations.md. In `npm test`, the service is a local one.
 */
if ((process.env['SMOKE_URL'] ?? process.env['CONTRACT_URL']) === undefined)
  throw new Error('Set SMOKE_URL for `npm run smoke`, or CONTRACT_URL for `npm run test:contract`');

export default defineConfig({
  // After 30 failures the rest says nothing new.
  test: {
    include: ['test/contract/{contract,deployment}.test.ts'],
    testTimeout: 60_000,
    bail: 30,
    reporters: ['verbose'],
  },
});
