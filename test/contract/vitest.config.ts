import { defineConfig } from 'vitest/config';

/** For a service at CONTRACT_URL: `npm run test:contract` and `npm run smoke`. In `npm test` the service is local. */
if (process.env['CONTRACT_URL'] === undefined)
  throw new Error('Set CONTRACT_URL to the service, for example http://localhost:3000');

export default defineConfig({
  // After 30 failures the rest says nothing new.
  test: {
    include: ['test/contract/contract.test.ts'],
    testTimeout: 60_000,
    bail: 30,
    reporters: ['verbose'],
  },
});
