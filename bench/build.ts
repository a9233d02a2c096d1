import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { buildBundle, bundleOptions, externalParts } from '../tools/bundle/bundle.ts';
import { UsageError } from '../tools/cli.ts';
import { projectRoot } from '../tools/project.ts';
import type { Variant } from './process.ts';

export const buildFolder = join(import.meta.dirname, '.build');

/** Primes a peer while Lambda loads it. Only an ES module can wait then, and a CommonJS bundle starts faster. */
const primingEntry = `import { createRequire } from 'node:module';
const { handler, prime } = createRequire(import.meta.url)('./handler.cjs');
await prime();
export { handler };
`;

/** Both forms of a built function, with and without the code cache. They differ only until they are warm. */
const formsOf = (built: string, id: string, name: string): readonly Variant[] =>
  [
    { id, name: `${name}, default`, leftOut: '.cache' },
    { id: `${id}-cached`, name: `${name}, with the code cache`, leftOut: 'nothing' },
  ].map(({ leftOut, ...form }) => {
    const folder = join(buildFolder, form.id);
    cpSync(built, folder, { recursive: true, filter: (path) => !path.endsWith(leftOut) });
    return { ...form, file: join(folder, 'update-file.mjs') };
  });

const sourceOf = (peer: string) => join('bench', 'peers', `${peer}.ts`);

/**
 * Builds a peer into a folder, with the options of our bundle. Returns its file.
 *
 * @param external the modules that the bundle leaves out
 */
export const buildPeer = async (
  peer: string,
  folder: string,
  external: readonly string[] = [],
): Promise<string> => {
  await build({ ...bundleOptions(sourceOf(peer), external), outfile: join(folder, 'handler.cjs') });
  const file = join(folder, 'handler.mjs');
  writeFileSync(file, primingEntry);
  return file;
};

/**
 * Builds a peer by the command for esbuild in the AWS Lambda developer guide. Only the name of the output differs, because
 * the package.json of this folder would make index.js an ES module.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/typescript-package.html
 */
const buildByAwsGuide = async (peer: string, folder: string): Promise<string> => {
  const file = join(folder, 'index.cjs');
  const options = {
    bundle: true,
    minify: true,
    sourcemap: true,
    platform: 'node',
    target: 'es2020',
  } as const;
  await build({ ...options, absWorkingDir: projectRoot, entryPoints: [sourceOf(peer)], outfile: file });
  return file;
};

type Peer = Readonly<{ id: string; name: string; buildInto: (folder: string) => Promise<string> }>;

/** Every ratio is one to the expert's handler. */
const peers: readonly Peer[] = [
  { id: 'expert', name: "expert's handler", buildInto: (folder) => buildPeer('expert', folder) },
  {
    id: 'expert-external',
    name: "expert's handler, parts left out",
    buildInto: (folder) => buildPeer('expert', folder, externalParts),
  },
  { id: 'powertools', name: 'Powertools', buildInto: (folder) => buildPeer('powertools', folder) },
  { id: 'middy', name: 'middy as documented', buildInto: (folder) => buildByAwsGuide('middy', folder) },
  { id: 'lower-bound', name: 'lower bound', buildInto: (folder) => buildPeer('lower-bound', folder) },
];

/** Builds all variants below bench/.build, which it empties first. */
export const buildVariants = async (): Promise<readonly Variant[]> => {
  rmSync(buildFolder, { recursive: true, force: true });
  const dist = join(buildFolder, 'dist');
  await buildBundle(join(dist, 'update-file.cjs'), true);
  const built = await Promise.all(
    peers.map(async ({ buildInto, ...peer }) => ({
      ...peer,
      file: await buildInto(join(buildFolder, peer.id)),
    })),
  );
  return [...formsOf(dist, 'space-files', 'space-files'), ...built];
};

/** Builds our function as it was in another commit, in a worktree. */
export const buildCommit = (revision: string): readonly Variant[] => {
  const options = ['--verify', '--quiet', '--short', '--end-of-options', `${revision}^{commit}`];
  const found = spawnSync('git', ['rev-parse', ...options], { cwd: projectRoot, encoding: 'utf8' });
  const commit = found.stdout.trim();
  if (commit === '') throw new UsageError('There is no such COMMIT.');
  const worktree = join(buildFolder, 'worktree');
  // Standard output is for the table.
  const run = (folder: string, command: string, ...args: readonly string[]) =>
    execFileSync(command, args, { cwd: folder, stdio: ['ignore', 2, 2] });
  // By force: an earlier run that was killed has left its name in the list of worktrees.
  run(projectRoot, 'git', 'worktree', 'add', '--quiet', '--detach', '--force', worktree, commit);
  try {
    run(worktree, 'npm', 'ci', '--silent');
    run(worktree, 'npm', 'run', '--silent', 'build', '--', '--code-cache');
    return formsOf(join(worktree, 'dist'), 'against', commit);
  } finally {
    run(projectRoot, 'git', 'worktree', 'remove', '--force', worktree);
  }
};
