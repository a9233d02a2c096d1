import { readApiKeyCommand } from './api-key/arguments.ts';
import { openTable } from './api-key/open-table.ts';
import { perform } from './api-key/perform.ts';
import { apiKeyUsage } from './api-key/usage.ts';
import { runCommand } from './command.ts';
import { Complaint, reasonOf } from './complaint.ts';

/** Rejects when whoever reads it is gone. */
const show = (text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });

/** `npm run api-key`: makes, rotates, lists, identifies and revokes API keys. */
await runCommand(async () => {
  const date = new Date();
  const command = readApiKeyCommand(process.argv.slice(2), date);
  if (command.name === 'help') {
    process.stdout.write(apiKeyUsage);
    return;
  }
  const table = openTable(command.table);
  try {
    process.stdout.write(await perform(table, command, { date, show }));
  } catch (error) {
    if (error instanceof Complaint) throw error;
    throw new Complaint(`The table ${table.tableName} could not be used: ${reasonOf(error)}`, {
      cause: error,
    });
  } finally {
    table.documents.destroy();
  }
});
