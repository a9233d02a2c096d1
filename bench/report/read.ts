import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as z from 'zod';
import type { Results } from './results.ts';
import { GrowthSchema, MeasurementSchema, VariantsSchema } from './schema.ts';

/** The file beside the measurements that says what their variants are. */
export const VARIANTS_FILE = 'variants.json';

/**
 * The results in a folder, each of its JSON files checked; none where the folder is missing or empty. Throws where a
 * file has another form, and names the file and the place.
 */
export const readResults = (folder: string): Results => {
  const names = globSync('*.json', { cwd: folder }).toSorted();
  const files = names.filter((name) => name !== VARIANTS_FILE);
  const isGrowth = (name: string) => name.startsWith('growth-');
  const variants = existsSync(join(folder, VARIANTS_FILE))
    ? readFile(join(folder, VARIANTS_FILE), VariantsSchema)
    : [];
  return {
    variants,
    measurements: files
      .filter((name) => !isGrowth(name))
      .map((name) => readFile(join(folder, name), MeasurementSchema)),
    growths: files.filter(isGrowth).map((name) => readFile(join(folder, name), GrowthSchema)),
  };
};

const readFile = <Schema extends z.ZodType>(file: string, schema: Schema): z.output<Schema> => {
  const parsed = schema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(`${file} holds no result at ${issue?.path.join('.')}: ${issue?.message}`);
};
