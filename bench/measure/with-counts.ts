import { type Endpoint, startEndpoint } from '../world/endpoint/endpoint.ts';
import { childEnvironment } from '../world/environment.ts';
import type { World } from '../world/world.ts';

export type Counting = Pick<Endpoint, 'takeCounts'> & {
  /** Leads a process through the counting endpoint. */
  readonly environment: Readonly<Record<string, string>>;
};

/** Lets `use` work through an endpoint that counts. */
export const withCounts = async <Result>(
  { endpoint: engine, tables }: Pick<World, 'endpoint' | 'tables'>,
  use: (counting: Counting) => Promise<Result>,
): Promise<Result> => {
  const endpoint = await startEndpoint({ engine, counting: true });
  try {
    const environment = childEnvironment({ endpoint: endpoint.url, tables });
    return await use({ environment, takeCounts: endpoint.takeCounts });
  } finally {
    await endpoint.stop();
  }
};
