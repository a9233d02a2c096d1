import { defineConfig } from 'vitest/config';

/** Deploys by the real CLI to an emulated AWS: `pip install 'moto[server]==5.2.5' awscli==1.46.3`. */
export default defineConfig({
  test: {
    include: ['test/deploy/*.deploy.ts'],
    testTimeout: 1_800_000,
    hookTimeout: 120_000,
    reporters: ['verbose'],
  },
});
