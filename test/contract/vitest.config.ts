import { defineConfig } from 'vitest/config';

/**
 * For a service that runs: `npm run test:contract` and `npm run smoke`. In `npm test`, the service is a local one.
 *
 * `test:contract` runs all cases against CONTRACT_URL, for example http://localhost:3000. CONTRACT_FIXTURE is a JSON file
 * with the form of demo-fixture.json, which is the default.
 *
 * `smoke` checks a deployment within seconds: some cases of the contract, and what only API Gateway can show. It needs
 * SMOKE_URL, SMOKE_TENANT, SMOKE_USER, SMOKE_SPACE, SMOKE_FILE, and SMOKE_API_KEY: a key of the tenant with the role editor
 * or admin. It overwrites summary and documentKind of the file, and restores them at its end. If the file has a
 * documentKind, SMOKE_DOCUMENT_KIND must state it. With SMOKE_BURST=N, it also sends N requests and expects 429 for some of
 * them: use an N well above the burst limit of the stage.
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
