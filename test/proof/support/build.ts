import { buildBundle } from '#tools/build/bundle.ts';

/** The bundle that is deployed, for the proofs that are about it. */
export default async () => {
  await buildBundle();
};
