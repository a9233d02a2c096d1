import * as z from 'zod';
import type { Counts } from './messages.ts';

const Consumed = z.object({ CapacityUnits: z.number() });
const ReplySchema = z.object({ ConsumedCapacity: z.optional(z.union([Consumed, z.array(Consumed)])) });
const CallSchema = z.record(z.string(), z.unknown());

const reads = new Set(['GetItem', 'BatchGetItem', 'TransactGetItems', 'Query', 'Scan']);

/** The same call, asking for the capacity units it takes as well. */
export const askForUnits = (body: Buffer): Buffer => {
  const call = CallSchema.parse(JSON.parse(body.toString()));
  return Buffer.from(JSON.stringify({ ...call, ReturnConsumedCapacity: 'TOTAL' }));
};

/** Counts calls and the capacity units in their replies. */
export const createCounter = () => {
  const nothing = (): Counts => ({ operations: [], readUnits: 0, writeUnits: 0 });
  let counts = nothing();
  return {
    /** @param target the header x-amz-target: `DynamoDB_20120810.GetItem` */
    count: (target: string, reply: Buffer): void => {
      const operation = target.replace(/^.*\./, '');
      const { ConsumedCapacity } = ReplySchema.parse(JSON.parse(reply.toString()));
      const units = [ConsumedCapacity ?? []]
        .flat()
        .reduce((sum, { CapacityUnits }) => sum + CapacityUnits, 0);
      counts.operations.push(operation);
      if (reads.has(operation)) counts.readUnits += units;
      else counts.writeUnits += units;
    },
    /** Gives the counts and begins anew. */
    take: (): Counts => {
      const taken = counts;
      counts = nothing();
      return taken;
    },
  };
};
