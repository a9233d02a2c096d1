/** A child process: loads the handler of its argument, answers each list of events it is sent by a list of answers. */
import { pathToFileURL } from 'node:url';

const [file = ''] = process.argv.slice(2);
const { handler } = await import(pathToFileURL(file).href);

const context = {
  functionName: 'space-files-bench',
  awsRequestId: '11111111-2222-4333-8444-555555555555',
  getRemainingTimeInMillis: () => 6000,
};

process.on('message', async (events: readonly unknown[]) => {
  const answers: unknown[] = [];
  for (const event of events) {
    const { statusCode, body } = await handler(event, context);
    answers.push({ status: statusCode, body: JSON.parse(body) });
  }
  process.send?.(answers);
});
