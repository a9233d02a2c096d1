import { parseOptions } from '#tools/cli.ts';
import { generatedDocuments } from './documents.ts';

/** What `npm run generate -- --help` prints. */
export const generateUsage = `Usage: npm run generate

Writes what is generated from the code: ${generatedDocuments.map(({ path }) => path).join(', ')}.

  --help  show this text

npm test fails while one of them is not as this would write it.
`;

/** Reads the command line of `npm run generate`. @throws {UsageError} for what it does not know */
export const readGenerateOptions = (args: string[]): { help: boolean } =>
  parseOptions(args, 'npm run generate', { help: { type: 'boolean', default: false } });
