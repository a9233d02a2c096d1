/** A figure that docs/assurance.md may name, on one line. */
export const report = (figure: string): void => {
  process.stdout.write(`lambda: ${figure} (Node ${process.versions.node})\n`);
};
