import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readArguments, runCommand, UsageError } from '#tools/cli.ts';
import { projectRoot } from '#tools/project.ts';

const usage = `Usage: node tools/facts/put.ts [--write]

Compares openapi.yaml and docs/contract.md with the code: limits, fields, types, statuses, codes, messages, headers, the
version, and the examples of responses. Fails if one of these is stale. npm run check runs it.

People write all else in these files. A place without the sentence that a reader expects is named, and is no failure.

  --write  correct what is stale, and add what is absent. It changes nothing else and deletes nothing
  --help   show this text
`;

await runCommand(usage, async () => {
  const { values } = readArguments({ options: { write: { type: 'boolean' } } });
  const { factsOfCode } = await import('./facts.ts');
  const { findInOpenapi } = await import('./openapi.ts');
  const { findInContract } = await import('./contract.ts');
  const { applyEdits } = await import('./edits.ts');
  const pages = [
    { file: 'openapi.yaml', find: findInOpenapi },
    { file: 'docs/contract.md', find: findInContract },
  ].map(({ file, find }) => {
    const path = join(projectRoot, file);
    const text = readFileSync(path, 'utf8');
    return { path, text, ...find(text, factsOfCode) };
  });
  const list = (sentences: readonly string[]) => sentences.map((sentence) => `  ${sentence}.\n`).join('');

  const wordless = pages.flatMap((page) => page.wordless);
  if (wordless.length > 0) process.stdout.write(`A sentence for readers is absent:\n${list(wordless)}`);
  const wrong = pages.flatMap((page) => page.wrong);
  if (wrong.length > 0) throw new UsageError(`Correct this by hand. Nothing was written.\n${list(wrong)}`);
  const stale = pages.flatMap((page) => page.stale);
  if (values.write) {
    for (const { path, text, edits } of pages) writeFileSync(path, applyEdits(text, edits));
  } else if (stale.length > 0)
    throw new UsageError(`Stale:\n${list(stale)}To correct it, run npm run check -- --write.`);
});
