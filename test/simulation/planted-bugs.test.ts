import { readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { exhaust } from './explore.ts';
import { scenarios } from './scenarios.ts';

const BugsSchema = z.array(
  z.strictObject({
    bug: z.string(),
    foundBy: z.string(),
    /** The bug ends in a 500. Any other change that does is just broken code, which proves nothing. */
    endsIn500: z.boolean().default(false),
    changes: z.array(z.strictObject({ file: z.string(), code: z.string(), becomes: z.string() })),
  }),
);
type Change = z.infer<typeof BugsSchema>[number]['changes'][number];
const bugs = BugsSchema.parse(parse(readFileSync(new URL('planted-bugs.yaml', import.meta.url), 'utf8')));

const root = new URL('../../', import.meta.url);
const folder = new URL('node_modules/.simulation/', root);

/** The real code with changes, loaded beside it. Throws when the code that is to change is not in its file once. */
const plant = async (name: string, changes: readonly Change[]) => {
  const left = new Set(changes);
  const change = async (path: string) => {
    let contents = await readFile(path, 'utf8');
    for (const planted of changes.filter(({ file }) => path.endsWith(`/${file}`))) {
      if (contents.split(planted.code).length !== 2)
        throw new Error(`${planted.file} does not hold once: ${planted.code}`);
      contents = contents.replace(planted.code, () => planted.becomes);
      left.delete(planted);
    }
    return contents;
  };
  const { outputFiles } = await build({
    absWorkingDir: fileURLToPath(root),
    entryPoints: ['test/simulation/operation.ts'],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    plugins: [
      {
        name: 'plant',
        setup: ({ onLoad }) =>
          onLoad({ filter: /\/(lib|handlers)\/.*\.ts$/ }, async ({ path }) => ({
            contents: await change(path),
            loader: 'ts',
          })),
      },
    ],
  });
  if (left.size > 0) throw new Error(`not planted: ${[...left].map(({ file }) => file).join(', ')}`);
  await mkdir(folder, { recursive: true });
  const file = new URL(`${name.replace(/\W+/g, '-')}.mjs`, folder);
  await writeFile(file, outputFiles[0]?.contents ?? '');
  const operation: typeof import('./operation.ts') = await import(file.href);
  return operation;
};

describe('a search finds', { timeout: 120_000 }, () => {
  beforeAll(() => {
    Error.stackTraceLimit = 0;
    // Each copy of the code listens to it.
    process.stdout.setMaxListeners(0);
  });

  test.each(bugs)('$bug', async ({ bug, foundBy, endsIn500, changes }) => {
    const scenario = scenarios.find(({ name }) => name === foundBy);
    if (!scenario) throw new Error(`there is no scenario "${foundBy}"`);
    const operation = await plant(bug, changes);
    const { first, schedules } = await exhaust(scenario, operation, { stopAtFirst: true });
    if (!first) expect.fail(`not found in ${schedules} schedules`);
    expect(first).toContain('repeat: SCHEDULE=');
    expect(first.includes('500 without a cause'), first).toBe(endsIn500);
  });
});
