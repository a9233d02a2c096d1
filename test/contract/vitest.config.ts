import { defineConfig } from 'vitest/config';

/**
 * For a service that runs at CONTRACT_URL and has the records of the data file CONTRACT_DATA, or else the demo data.
 * `npm run smoke` checks what only a deployment can show: see docs/operations.md. `npm run smoke -- contract` runs all
 * cases. In `npm test`, the service is a local one.
 */
if (!process.env['CONTRACT_URL']) throw new Error('Set CONTRACT_URL to the address of the service');

export default defineConfig({
  // After 30 failures the rest says nothing new.
  test: {
    include: ['test/contract/{contract.test,deployment.smoke}.ts'],
    testTimeout: 60_000,
    bail: 30,
    reporters: ['verbose'],
  },
});
