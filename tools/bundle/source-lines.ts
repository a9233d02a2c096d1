import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { text } from 'node:stream/consumers';
import * as z from 'zod';
import { check, runCommand, UsageError } from '#tools/cli.ts';

const usage = `Usage: npx -c 'node tools/bundle/source-lines.ts MAP' < LINES

Reads log lines from stdin and prints them, with files and lines of the source in place of those of the bundle.

  MAP     the source map of that bundle: NAME.cjs.HASH.map, kept beside the zip. Each line of level error, and the line
          that each start of the function leaves in its log, has the HASH as "bundle".
  --help  show this text
`;

const MapSchema = z.looseObject({
  version: z.literal(3),
  file: z.string().default(''),
  sources: z.array(z.string()),
  sourcesContent: z.array(z.string()).default([]),
  names: z.array(z.string()),
  mappings: z.string(),
  sourceRoot: z.string().default(''),
});

/** The bundle that a map is of, and its hash. */
const readName = (file: string): { bundle: string; hash: string } => {
  const [, bundle, hash] = /([\w-]+\.cjs)\.([\da-f]{16})\.map$/.exec(file) ?? [];
  if (bundle !== undefined && hash !== undefined) return { bundle, hash };
  throw new UsageError('MAP must be named NAME.cjs.HASH.map, as the build named it.');
};

/** Throws a UsageError if the input names another bundle than the one that the map is of. */
const expectSameBundle = ({ hash }: ReturnType<typeof readName>, input: string): void => {
  const named = [...input.matchAll(/"bundle"\s*:\s*"([\da-f]{16})"/g)].map(([, other]) => other);
  const other = named.find((one) => one !== hash);
  if (other !== undefined)
    throw new UsageError(
      `The input is of the bundle ${other}, and MAP is of another one. Use the map with this hash in its name.`,
    );
};

/** A place in a bundle, at the end of a stack frame. */
const placeIn = (bundle: string) => new RegExp(`[^\\s("]*/${bundle.replace('.', '\\.')}:(\\d+):(\\d+)`, 'g');

await runCommand(usage, async () => {
  const [file, ...more] = process.argv.slice(2);
  if (file === undefined || more.length > 0) throw new UsageError(usage);
  const input = await text(process.stdin);
  const name = readName(file);
  expectSameBundle(name, input);
  const map = new SourceMap(check(MapSchema, JSON.parse(readFileSync(file, 'utf8'))));
  let found = 0;
  const toSource = (frame: string, line: string, column: string): string => {
    const origin = map.findOrigin(Number(line), Number(column));
    if (!('fileName' in origin)) return `${frame} (not in this map)`;
    found += 1;
    return `${origin.fileName.replace(/^(\.\.\/)+/, '')}:${origin.lineNumber}:${origin.columnNumber}`;
  };
  process.stdout.write(input.replace(placeIn(name.bundle), toSource));
  if (found === 0) throw new UsageError('No place in the bundle was found in the input.');
});
