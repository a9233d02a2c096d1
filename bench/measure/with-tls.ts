import { startEndpoint } from '../world/endpoint/endpoint.ts';
import { childEnvironment } from '../world/environment.ts';
import type { World } from '../world/world.ts';

/** Milliseconds a call to DynamoDB takes inside a Region. */
export const callMs = 4;

/** Lets `use` work through an endpoint that is as far away as DynamoDB, with the environment that leads there. */
export const withTls = async <Result>(
  { endpoint: engine, tables }: World,
  use: (environment: Readonly<Record<string, string>>) => Promise<Result>,
): Promise<Result> => {
  const endpoint = await startEndpoint({ engine, tls: true, callMs });
  try {
    return await use(childEnvironment({ endpoint: endpoint.url, tables }, endpoint.trust));
  } finally {
    await endpoint.stop();
  }
};
