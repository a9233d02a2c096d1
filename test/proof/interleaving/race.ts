import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type fc from 'fast-check';
import { updateFile } from '#handlers/update-file.ts';
import { createHandler } from '#lib/http/create-handler.ts';
import type { ApiResponse } from '#lib/http/response.ts';
import { createStore } from '#lib/store/store.ts';
import { type Backend, idOf } from '#test/proof/access/engines/backend.ts';
import type { Change } from '#test/proof/model/changes.ts';
import { beginning } from '#test/proof/model/universe.ts';
import { aContext } from '#test/support/context.ts';
import { expectContract } from '#test/support/contract.ts';
import { anEvent } from '#test/support/event.ts';
import type { Racer, Scenario } from './scenario.ts';
import { takeTurns } from './take-turns.ts';

/** What happened, in the order in which it happened. Each step is one call to the tables, whole. */
export type Step =
  | { readonly kind: 'read' | 'write'; readonly racer: number }
  | { readonly kind: 'change'; readonly change: number };

export type Outcome = { readonly steps: readonly Step[]; readonly answers: readonly ApiResponse[] };

/** An instance of the real handler; its request ids are its own, as UUIDs would be. */
const startInstance = ({ client, config }: Pick<Backend, 'client' | 'config'>, name: string, now: number) => {
  const store = createStore({ client, config, now: () => now, random: () => 0 });
  const deps = { now: () => now, newId: () => name, log: () => undefined, store: () => store };
  return createHandler(updateFile(deps), deps);
};

const eventOf = ({ apiKey, tenant, user, ifMatch, body, spaceId, fileId }: Racer['request']) =>
  anEvent({
    headers: {
      ...body.headers,
      'x-api-key': apiKey.sent,
      'x-tenant-id': tenant.sent,
      'x-user-id': user.sent,
      'if-match': ifMatch.sent,
    },
    spaceId,
    fileId,
    body: body.text,
  });

/** Runs all of a scenario at once; the scheduler decides which call to the tables comes next. */
export const race = async (
  tables: Backend,
  { racers, changes }: Scenario,
  scheduler: fc.Scheduler,
): Promise<Outcome> => {
  const steps: Step[] = [];
  const turns = takeTurns(scheduler);

  const run = async ({ request, clockOff }: Racer, index: number) => {
    const call = (command: object, options: unknown) => {
      const kind = command instanceof UpdateCommand ? 'write' : 'read';
      return turns.step(`racer ${index} ${kind}s`, async () => {
        steps.push({ kind, racer: index });
        return Reflect.apply(tables.client.send, tables.client, [command, options]);
      });
    };
    const client = new Proxy(tables.client, {
      get: (target, name) => (name === 'send' ? call : Reflect.get(target, name)),
    });
    const handler = startInstance({ ...tables, client }, `racer-${index}`, beginning.now + clockOff);
    return expectContract(await handler(JSON.parse(JSON.stringify(eventOf(request))), aContext(10_000)));
  };

  const change = ({ name, table, record, edit }: Change, index: number) =>
    turns.step(name, async () => {
      steps.push({ kind: 'change', change: index });
      const contents = await tables.everything();
      const found = contents[table].find((item) => idOf(table, item) === idOf(table, record));
      const after = edit(found, beginning.now);
      await (after ? tables.put(table, after) : tables.remove(table, record));
    });

  const answers = Promise.all(racers.map(run));
  await turns.until(Promise.all([answers, ...changes.map(change)]));
  return { steps, answers: await answers };
};
