import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { text } from 'node:stream/consumers';
import * as z from 'zod';
import { check, runCommand, UsageError } from '#tools/cli.ts';

const usage = `Usage: npx -c 'node tools/bundle/source-lines.ts MAP' < LINES

Reads log lines from stdin and prints them, with files and lines of the source in place of those of the bundle.

  MAP     the source map of that bundle: update-file.cjs.HASH.map, kept beside the zip. Each line of level error,
          and the line that each start of the function leaves in its log, has the HASH as "bundle".
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

/** Throws a UsageError if the input names another bundle than the one that the map is of. */
const expectSameBundle = (file: string, input: string): void => {
  const hash = /\.([\da-f]{16})\.map$/.exec(file)?.[1];
  if (hash === undefined)
    throw new UsageError('MAP must be named update-file.cjs.HASH.map, as the build named it.');
  const named = [...input.matchAll(/"bundle"\s*:\s*"([\da-f]{16})"/g)].map(([, bundle]) => bundle);
  const other = named.find((bundle) => bundle !== hash);
  if (other !== undefined)
    throw new UsageError(
      `The input is of the bundle ${other}, and MAP of the bundle ${hash}. Use update-file.cjs.${other}.map.`,
    );
};

/** A place in the bundle, at the end of a stack frame. */
const place = /[^\s("]*update-file\.cjs:(\d+):(\d+)/g;

await runCommand(usage, async () => {
  const [file, ...more] = process.argv.slice(2);
  if (file === undefined || more.length > 0) throw new UsageError(usage);
  const input = await text(process.stdin);
  expectSameBundle(file, input);
  const map = new SourceMap(check(MapSchema, JSON.parse(readFileSync(file, 'utf8'))));
  let found = 0;
  const toSource = (frame: string, line: string, column: string): string => {
    const origin = map.findOrigin(Number(line), Number(column));
    if (!('fileName' in origin)) return `${frame} (not in this map)`;
    found += 1;
    return `${origin.fileName.replace(/^(\.\.\/)+/, '')}:${origin.lineNumber}:${origin.columnNumber}`;
  };
  process.stdout.write(input.replace(place, toSource));
  if (found === 0) throw new UsageError('No place in the bundle was found in the input.');
});
