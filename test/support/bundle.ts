import { buildBundle } from '#tools/build/bundle.ts';
import { readOptimizations } from '#tools/build/optimizations.ts';

/** Builds the bundle that is deployed. WITHOUT names an optimization to leave out. */
export const buildTestedBundle = (file: string) => {
  const without = process.env['WITHOUT'];
  return buildBundle({
    file,
    optimizations: readOptimizations({ without: without ? [without] : [], codeCache: false }),
  });
};
