/** How long a proof runs: 1 in the gate, 10 in a soak. Counts are multiplied by it, promises never. */
export const scale = Number(process.env['PROOF_SCALE'] ?? 1);

/** Where all randomness of a run begins. Printed with every failure; PROOF_SEED repeats a run. */
export const seed = Number(process.env['PROOF_SEED'] ?? 20_261_121);

/** The command that repeats a proof, for the message of a failure. */
export const replayCommand = (file: string, withSeed = seed): string =>
  `PROOF_SEED=${withSeed} PROOF_SCALE=${scale} npm run proof -- ${file}`;

/** A figure that docs/assurance.md reports, on one line. */
export const report = (proof: string, figures: Readonly<Record<string, number | string>>): void => {
  const told = Object.entries(figures).map(([name, value]) => `${name} ${value}`);
  process.stdout.write(`proof: ${proof}: ${told.join(', ')}\n`);
};
