import { readFile } from 'node:fs/promises';
import { codeOf, reasonOf, UsageError } from '#tools/cli.ts';
import { type World, WorldSchema } from './world.ts';

/** Reads the file of `--world`. Throws a UsageError that never quotes what stands there: it holds keys. */
export const readWorld = async (file: string): Promise<World> => {
  const parsed = WorldSchema.safeParse(parseJson(file, await readText(file)));
  if (parsed.success) return parsed.data;
  const [{ path, code } = { path: [], code: 'custom' }] = parsed.error.issues;
  const place = path.length === 0 ? 'the whole' : path.join('.');
  const problem = code === 'unrecognized_keys' ? 'holds a name that is not known' : 'is missing or unfit';
  throw new UsageError(`${file}: ${place} ${problem}; test/conformance/demo-world.json is an example.`);
};

const readText = async (file: string): Promise<string> => {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const problem = codeOf(error) === 'ENOENT' ? 'does not exist' : `cannot be read: ${reasonOf(error)}`;
    throw new UsageError(`The world file ${file} ${problem}.`, { cause: error });
  }
};

const parseJson = (file: string, text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    // The reason is left out: it quotes the file.
    throw new UsageError(`The world file ${file} is not valid JSON.`);
  }
};
