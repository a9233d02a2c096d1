import { createRequire } from 'node:module';

/*
 * What Lambda's runtime does with the bundle, and no more: events come in by IPC and answers leave by it, so that
 * stdout and stderr hold the function's own words alone.
 */
const [, , bundle = ''] = process.argv;
const { handler } = createRequire(import.meta.url)(bundle);

type Invocation = { readonly id: number; readonly event: unknown; readonly remainingMs: number };

const invoke = async ({ id, event, remainingMs }: Invocation) => {
  const end = Date.now() + remainingMs;
  const context = { awsRequestId: `aws-${id}`, getRemainingTimeInMillis: () => end - Date.now() };
  try {
    return { id, response: await handler(event, context) };
  } catch {
    return { id, response: null };
  }
};

process.on('message', async (invocation: Invocation) => process.send?.(await invoke(invocation)));
process.send?.({ id: 0, response: null });
