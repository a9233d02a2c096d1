// Sends updates to a server that never responds, while memory is collected, and prints what ends them.
import { once } from 'node:events';
import { createServer } from 'node:net';
import process from 'node:process';
import { setImmediate } from 'node:timers/promises';
import { createClient } from 'space-files-client';

const server = createServer(() => undefined).listen(0, '127.0.0.1');
await once(server, 'listening');
const { updateFile } = createClient({
  baseUrl: `http://127.0.0.1:${server.address().port}`,
  apiKey: 'k',
  tenantId: 't',
  userId: 'u',
  timeoutMs: 500,
  maxAttempts: 1,
});

let left = 50;
const caller = new AbortController();
const messages = new Set();
for (let n = 0; n < left; n += 1)
  updateFile({ spaceId: 's', fileId: 'f', patch: { summary: 'x' }, signal: caller.signal }).then(
    ({ error }) => {
      left -= 1;
      messages.add(error.message);
    },
  );
// Twenty times as long as they may take. Without a limit of ours, fetch waits for minutes.
for (const end = Date.now() + 10_000; left > 0 && Date.now() < end; await setImmediate()) globalThis.gc();
process.stdout.write(`${left} left: ${[...messages]}\n`);
process.exit();
