import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CHARTS, PAGE } from './paths.ts';

/** The page and the charts that are there, as paths from the project's folder `root`. */
const present = (root: string): readonly string[] => globSync([PAGE, `${CHARTS}/*.svg`], { cwd: root });

/** Writes the rendered files below `root`, and removes charts that are no longer made. */
export const writeRendered = (root: string, rendered: ReadonlyMap<string, string>): void => {
  for (const path of present(root)) if (!rendered.has(path)) rmSync(join(root, path));
  for (const [path, content] of rendered) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
};

/** The paths below `root` that differ from what is rendered, are missing, or should not be there. */
export const stalePaths = (root: string, rendered: ReadonlyMap<string, string>): readonly string[] => {
  const paths = new Set([...rendered.keys(), ...present(root)]);
  const read = (path: string) =>
    existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined;
  return [...paths].filter((path) => read(path) !== rendered.get(path)).toSorted();
};
