import { buildBundle } from '#tools/bundle/bundle.ts';
import { readOptimizations } from '#tools/bundle/optimizations.ts';

/** Builds the bundle that is deployed. WITHOUT names an optimization to leave out. */
export const buildTestedBundle = (file: string) => {
  const without = process.env['WITHOUT'];
  return buildBundle({
    file,
    optimizations: readOptimizations({ without: without ? [without] : [], codeCache: false }),
  });
};
