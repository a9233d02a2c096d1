/*
 * Does what Lambda's runtime does with the deployed function, and no more: loads it, passes events in and responses
 * out. Both travel by IPC, so that stdout and stderr hold only what the function itself writes.
 */
const [, , file = ''] = process.argv;

/*
 * On a busy machine, each limit of the function must last longer than on a quiet one. So its clock goes slower: for each
 * of its milliseconds, so many pass.
 */
const slowness = Number(process.env['SLOWNESS'] ?? 1);
const {
  setTimeout: startTimer,
  process: { uptime },
} = globalThis;
globalThis.setTimeout = Object.assign((callback: () => void, ms = 0) => startTimer(callback, ms * slowness), {
  __promisify__: startTimer.__promisify__,
});
process.uptime = () => Reflect.apply(uptime, process, []) / slowness;

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
  const end = Date.now() + remainingMs * slowness;
  const context = { awsRequestId: id, getRemainingTimeInMillis: () => (end - Date.now()) / slowness };
  process.send?.({ id, value: await handler(event, context) });
});
process.on('disconnect', () => process.exit());
process.send?.({ id: 'loaded', value: true });
