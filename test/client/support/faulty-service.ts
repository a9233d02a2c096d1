import { afterEach, beforeEach } from 'vitest';
import type { ClientOptions, FileUpdate } from '#lib/client/client.ts';
import { startFaultyFront, type Turn } from './faulty-front.ts';
import { aClient, anUpdate } from './given-client.ts';
import { startRunningService } from './running-service.ts';

/**
 * For each test of a file the running service, and what the test wants in front of it.
 *
 * @param prefix keeps the tables of one test file apart from those of the others
 */
export const useFaultyService = (prefix: string) => {
  let service: Awaited<ReturnType<typeof startRunningService>>;
  let front: Awaited<ReturnType<typeof startFaultyFront>>;
  beforeEach(async () => {
    service = await startRunningService(prefix);
  });
  afterEach(async () => {
    await front.close();
    await service.close();
  });

  const start = async (...turns: Turn[]) => {
    front = await startFaultyFront(service.url, turns);
    return { url: front.url, seen: front.seen, service: service.url };
  };
  /** One update through the turns: its result, the waits it asked for, and the requests that were made. */
  const update = async (
    turns: readonly Turn[],
    change: Partial<FileUpdate> = {},
    options: Partial<ClientOptions> = {},
  ) => {
    const { url, seen } = await start(...turns);
    const { updateFile, waits } = aClient({ baseUrl: url, ...options });
    const result = await updateFile({ ...anUpdate, ...change });
    return { result, waits, attempts: seen().length };
  };
  return { start, update };
};

/** The result of an update that failed; the whole of it. */
export const failed = (error: Record<string, unknown>) => ({
  ok: false,
  error: { requestId: undefined, ...error },
});
