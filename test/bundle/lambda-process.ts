/*
 * Does what Lambda's runtime does with the deployed function, and no more: loads it, passes events in and responses
 * out. Both travel by IPC, so that stdout and stderr hold only what the function itself writes.
 */
const [, , file = ''] = process.argv;
const { handler } = await import(file);

// Node opens it when it first destroys a socket, for example after an attempt that took too long.
void process.stderr;

type Message = { readonly id: string; readonly event?: unknown; readonly remainingMs: number };

process.on('message', async ({ id, event, remainingMs }: Message) => {
  if (event === undefined) {
    globalThis.gc?.();
    const value = { heap: process.memoryUsage().heapUsed, resources: process.getActiveResourcesInfo() };
    return void process.send?.({ id, value });
  }
  const end = Date.now() + remainingMs;
  const context = { awsRequestId: id, getRemainingTimeInMillis: () => end - Date.now() };
  process.send?.({ id, value: await handler(event, context) });
});
process.on('disconnect', () => process.exit());
process.send?.({ id: 'loaded', value: true });
