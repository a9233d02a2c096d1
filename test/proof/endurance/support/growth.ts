/** What the line of least squares through the samples rises from the first to the last. */
export const growthOf = (samples: readonly number[]): number => {
  const middle = (samples.length - 1) / 2;
  const mean = samples.reduce((sum, sample) => sum + sample, 0) / samples.length;
  const covariance = samples.reduce((sum, sample, n) => sum + (n - middle) * (sample - mean), 0);
  const variance = samples.reduce((sum, _, n) => sum + (n - middle) ** 2, 0);
  return (covariance / variance) * (samples.length - 1);
};
