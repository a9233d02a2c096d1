import { inject } from 'vitest';
import { expectContract } from '#test/support/contract.ts';
import { useEndpoint } from '#test/support/endpoint.ts';
import { apiKeys } from './api-keys.ts';
import { openInstance } from './instances.ts';
import { noFaults } from './plan.ts';
import { startFaultProxy } from './proxy.ts';
import { openWorld } from './world.ts';
import { openWriter, type Update } from './writer.ts';

/** Two files, a proxy that lets everything pass until told otherwise, and one writer behind it. */
export const openStage = async (name: string) => {
  const world = await openWorld(name, 2);
  const [file, otherFile] = world.files;
  if (!file || !otherFile) throw new Error('no files');
  const proxy = await startFaultProxy(inject('endpoint'), noFaults);
  useEndpoint(proxy.endpoint);
  const lines: string[] = [];
  const log = (line: string) => void lines.push(line);
  const write = openWriter({ instance: openInstance(world.config), apiKey: apiKeys[0], log });

  /** Changes the file, or another. */
  const patch = async (update: Partial<Update> = {}) => {
    const told = await write({ ...file, patch: { summary: 'New.' }, ...update });
    expectContract(told.response);
    return told;
  };
  // Two replies to other calls, for faults that mix them up; and the client's settings are read.
  await openWriter({ instance: openInstance(world.config), apiKey: apiKeys[1] })({
    ...otherFile,
    patch: { summary: 'Other.' },
  });
  await patch({ ...otherFile, patch: { documentKind: 'other' } });
  lines.length = 0;

  return {
    proxy,
    patch,
    world,
    file,
    record: () => world.getRecord(file),
    /** The last line of the log. */
    logged: (): Readonly<Record<string, unknown>> => JSON.parse(lines.at(-1) ?? '{}'),
    /** Calls that were made meanwhile. */
    count: async <Result>(action: () => Promise<Result>) => {
      const before = proxy.calls();
      const result = await action();
      const { read, write: writes } = proxy.calls();
      return { result, reads: read - before.read, writes: writes - before.write };
    },
  };
};
export type Stage = Awaited<ReturnType<typeof openStage>>;
