import { inject } from 'vitest';
import { forwardTo, type Reply, startServer } from '#test/support/server.ts';
import { idsOf } from './lambda-function.ts';

type Plan = { readonly kind: 'read' | 'write'; readonly fault: Reply; times: number };
const noCalls = { read: 0, write: 0 };

/**
 * A proxy between the function and the engine. Each space can be given a fault of its own, so that requests for
 * different spaces run at the same time without meeting each other's faults.
 */
export const startFaultProxy = async (engine = inject('endpoint')) => {
  const plans = new Map<string, Plan>();
  const calls = new Map<string, typeof noCalls>();

  const { endpoint, received } = await startServer(async (response, request) => {
    const kind = request.headers['x-amz-target']?.toString().endsWith('UpdateItem') ? 'write' : 'read';
    const space = /space-\d+/.exec(request.body)?.[0] ?? 'prime';
    const counts = calls.get(space) ?? { ...noCalls };
    calls.set(space, counts);
    counts[kind] += 1;
    const deliver = () => request.deliver(engine);
    const plan = plans.get(space);
    const isFaulty = plan !== undefined && plan.times > 0 && plan.kind === kind;
    if (isFaulty) plan.times -= 1;
    try {
      await (isFaulty ? plan.fault : forwardTo(engine))(response, { ...request, deliver });
    } catch {
      // An engine that is gone is a connection that breaks.
      response.destroy();
    }
  });
  return {
    endpoint,
    /** Gives the next calls of a kind for this space this fault. */
    fail: (space: number, kind: Plan['kind'], fault: Reply, times = Number.POSITIVE_INFINITY): void => {
      plans.set(idsOf(space).spaceId, { kind, fault, times });
    },
    heal: (): void => plans.clear(),
    /** The calls for a space so far. */
    callsOf: (space: number): typeof noCalls => calls.get(idsOf(space).spaceId) ?? noCalls,
    /** Ends every connection of the function, in good order or abruptly. Returns how many. */
    disconnect: (how: 'end' | 'resetAndDestroy'): number => {
      const open = new Set(received.map(({ socket }) => socket).filter(({ destroyed }) => !destroyed));
      for (const socket of open) socket[how]();
      return open.size;
    },
  };
};
