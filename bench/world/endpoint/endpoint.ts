import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeCertificate } from './certificate.ts';
import { type Counts, CountsSchema, ListeningSchema, type Settings } from './messages.ts';

export type EndpointOptions = {
  /** URL of the engine it stands in front of. */
  readonly engine: string;
  /** Speaks TLS; otherwise plain HTTP. */
  readonly tls?: boolean;
  /** Milliseconds a call takes in all, as seen from here; as long as the engine takes, where that is longer. */
  readonly callMs?: number;
  /** Counts calls and capacity units, at the price of slower calls. */
  readonly counting?: boolean;
};

/** A stand-in for DynamoDB's endpoint in a process of its own, whose CPU is nobody's measurement. */
export type Endpoint = {
  readonly url: string;
  /** What a process must have in its environment to trust it. */
  readonly trust: Readonly<Record<string, string>>;
  /** What was counted since the last time. */
  readonly takeCounts: () => Promise<Counts>;
  readonly stop: () => Promise<void>;
};

/** Starts an endpoint on a free port of 127.0.0.1. */
export const startEndpoint = async (options: EndpointOptions): Promise<Endpoint> => {
  const { engine, tls = false, callMs = 0, counting = false } = options;
  const folder = await mkdtemp(join(tmpdir(), 'space-files-bench-'));
  const server = fork(join(import.meta.dirname, 'server.ts'), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = once(server, 'exit');
  const ended = exited.then(() => {
    throw new Error("the benchmark's endpoint ended");
  });
  ended.catch(() => undefined);

  const ask = async (message: Settings | { readonly take: true }): Promise<unknown> => {
    const answered = once(server, 'message');
    server.send(message);
    const [answer]: unknown[] = await Promise.race([answered, ended]);
    return answer;
  };
  const stop = async () => {
    if (server.connected) server.disconnect();
    await exited;
    await rm(folder, { recursive: true, force: true });
  };

  try {
    const certificate = tls ? await makeCertificate() : undefined;
    const authorityFile = join(folder, 'authority.pem');
    if (certificate) await writeFile(authorityFile, certificate.authority);
    const { port } = ListeningSchema.parse(await ask({ engine, callMs, counting, certificate }));
    return {
      url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
      trust: tls ? { NODE_EXTRA_CA_CERTS: authorityFile } : {},
      takeCounts: async () => CountsSchema.parse(await ask({ take: true })),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
};
