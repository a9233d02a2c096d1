import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runCommand, UsageError } from '#tools/cli.ts';
import { projectRoot } from '#tools/project.ts';

const usage = `Usage: node tools/description/write.ts [--write]

Fails if openapi.yaml or a part of docs/contract.md is not what follows from the code. npm run check runs it.

  --write  write what is stale
  --help   show this text
`;

await runCommand(usage, async () => {
  const { values } = parseArgs({ options: { write: { type: 'boolean' } } });
  const { openapiText } = await import('./openapi.ts');
  const { contractText } = await import('./contract.ts');
  const files = { 'openapi.yaml': openapiText, 'docs/contract.md': contractText };
  const stale = Object.entries(files).filter(
    ([file, text]) => readFileSync(join(projectRoot, file), 'utf8') !== text,
  );
  if (values.write) for (const [file, text] of stale) writeFileSync(join(projectRoot, file), text);
  else if (stale.length > 0)
    throw new UsageError(
      `Stale: ${stale.map(([file]) => file).join(' and ')}. To write it again, run npm run check -- --write.`,
    );
});
