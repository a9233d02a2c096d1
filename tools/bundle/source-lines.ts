import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { text } from 'node:stream/consumers';
import { runCommand, UsageError } from '#tools/cli.ts';

const usage = `Usage: npx -c 'node tools/bundle/source-lines.ts MAP' < LINES

Reads log lines from stdin and prints them, with files and lines of the source in place of those of the bundle.

  MAP     the source map of that bundle: NAME.cjs.HASH.map, kept beside the zip. Each line of level error, and the line
          that each start of the function leaves in its log, has the HASH as "bundle".
  --help  show this text
`;

await runCommand(usage, async () => {
  const [file = '', ...more] = process.argv.slice(2);
  const [, bundle, hash] = /([\w-]+\.cjs)\.([\da-f]{16})\.map$/.exec(file) ?? [];
  if (bundle === undefined || more.length > 0) throw new UsageError(usage);
  const input = await text(process.stdin);
  const named = [...input.matchAll(/"bundle"\s*:\s*"([\da-f]{16})"/g)].map(([, one]) => one);
  const other = named.find((one) => one !== hash);
  if (other !== undefined)
    throw new UsageError(
      `The input is of the bundle ${other}, and MAP is of another one. Use the map with this hash in its name.`,
    );

  const map = new SourceMap(JSON.parse(readFileSync(file, 'utf8')));
  const toSource = (frame: string, line: string, column: string): string => {
    const origin = map.findOrigin(Number(line), Number(column));
    if (!('fileName' in origin)) return `${frame} (not in this map)`;
    return `${origin.fileName.replace(/^(\.\.\/)+/, '')}:${origin.lineNumber}:${origin.columnNumber}`;
  };
  /** A place in the bundle, at the end of a stack frame. */
  const place = new RegExp(`[^\\s("]*/${bundle.replace('.', '\\.')}:(\\d+):(\\d+)`, 'g');
  process.stdout.write(input.replace(place, toSource));
});
