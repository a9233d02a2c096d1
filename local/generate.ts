import { generatedDocuments } from '#local/openapi/documents.ts';
import { generateUsage, readGenerateOptions } from '#local/openapi/read-options.ts';
import { writeDocuments } from '#local/openapi/write-documents.ts';
import { runCommand } from '#tools/cli.ts';
import { projectRoot } from '#tools/project.ts';

/** `npm run generate`: writes the documents that are made from the code and says which have changed. */
await runCommand(async () => {
  const { help } = readGenerateOptions(process.argv.slice(2));
  if (help) return void process.stdout.write(generateUsage);
  const written = writeDocuments(projectRoot);
  const lines = generatedDocuments.map(
    ({ path }) => `${path}: ${written.includes(path) ? 'written' : 'as it was'}\n`,
  );
  process.stdout.write(lines.join(''));
});
