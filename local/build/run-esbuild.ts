import { type BuildOptions, build, type Metafile, stop } from 'esbuild';
import { Complaint, reasonOf } from '#local/complaint.ts';

/** The one file that a build makes, and what went into it. */
export type Built = { code: Uint8Array; metafile: Metafile };

/** Builds one file in memory. Throws a Complaint that names the first line at fault. */
export const runEsbuild = async (
  options: BuildOptions & { write: false; metafile: true },
): Promise<Built> => {
  try {
    const { outputFiles, metafile } = await build(options);
    const [output] = outputFiles;
    if (output === undefined) throw new Error('esbuild wrote nothing');
    return { code: output.contents, metafile };
  } catch (error) {
    throw new Complaint(`The function could not be built: ${buildProblem(error)}.`, { cause: error });
  } finally {
    // esbuild's own process would keep this one alive.
    await stop();
  }
};

const buildProblem = (error: unknown): string => {
  const [first] = reasonLines(error);
  return first ?? reasonOf(error);
};

/** esbuild puts one problem on each line below its headline: `file:line:column: ERROR: text`. */
const reasonLines = (error: unknown): string[] => {
  if (!(error instanceof Error)) return [];
  return error.message.split('\n').slice(1);
};
