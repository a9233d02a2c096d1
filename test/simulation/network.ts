import { BatchGetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Command } from '#lib/store/tables.ts';
import { faultOf, type MessageFault } from '#test/support/message-faults.ts';
import { isUnknown } from '#test/support/simulated-tables.ts';
import type { Observed, Option } from './model.ts';
import type { Records } from './records.ts';

/** A call to DynamoDB on its way. */
export type Message<Process> = {
  readonly name: string;
  readonly process: Process;
  readonly sender: Observed | undefined;
  readonly command: Command;
  /** Gives the sender a result, or an error to throw. */
  readonly settle: (outcome: unknown) => void;
};
type Sent<Process> = Message<Process> & {
  /** The sender no longer waits for it. */
  detached: boolean;
  readonly isCopy: boolean;
  /** The records read so far, by table. */
  readonly found: Map<string, unknown>;
};

/** What an access read still has to read, by table. */
const unreadOf = ({ command, found }: Sent<unknown>) => {
  if (command instanceof UpdateCommand) return [];
  if (!(command instanceof BatchGetCommand)) return isUnknown(command, 'test/simulation/network.ts');
  return Object.entries(command.input.RequestItems ?? {}).filter(([table]) => !found.has(table));
};

/** The messages between the processes and the tables. Each arrives at any later moment, in any order, or is lost. */
export const createNetwork = <Process>({ tables, takeSnapshot }: Records) => {
  const messages = new Set<Sent<Process>>();

  /** Lets the table do what a message asks for. Gives its result, or the error that it throws. */
  const perform = (message: Sent<Process>): unknown => {
    const { command, found, sender, isCopy } = message;
    try {
      if (command instanceof UpdateCommand) {
        const result = tables.update(command.input);
        if (sender) takeSnapshot({ writes: 1, request: sender, isCopy });
        return result;
      }
      for (const [table, read] of unreadOf(message)) found.set(table, tables.readOne(table, read));
      return { Responses: Object.fromEntries(found) };
    } catch (error) {
      return error;
    }
  };

  /** A message arrives. The two records of an access read are read at moments of their own. */
  const deliveriesOf = (message: Sent<Process>): Option[] => {
    const unread = unreadOf(message);
    if (unread.length > 1)
      return unread.map(([table, read]) => ({
        label: `read ${table} for ${message.name}`,
        run: () => void message.found.set(table, tables.readOne(table, read)),
      }));
    const deliver = () => {
      messages.delete(message);
      const outcome = perform(message);
      if (!message.detached) message.settle(outcome);
    };
    return [{ label: `deliver ${message.name}`, run: deliver }];
  };

  const injectFault = (message: Sent<Process>, fault: MessageFault): void => {
    const { sender, command } = message;
    (command instanceof UpdateCommand ? sender?.writeFaults : sender?.readFaults)?.push(fault);
    const { applied, response } = faultOf(fault);
    const isCopy = applied === 'twice';
    if (applied === 'later' || isCopy)
      messages.add({ ...message, name: `${message.name} (${applied})`, detached: true, isCopy });
    if (applied === 'twice') return;
    if (applied === 'now') perform(message);
    if (response) message.settle(response());
    message.detached = true;
    messages.delete(message);
  };

  return {
    send: (message: Message<Process>): void =>
      void messages.add({ ...message, detached: false, isCopy: false, found: new Map() }),
    /** Sends a message that arrives at once. */
    sendAtOnce: (message: Message<Process>): void =>
      message.settle(perform({ ...message, detached: false, isCopy: false, found: new Map() })),
    /** Whether a message is on its way for which the process waits. */
    isAwaited: (process: Process): boolean =>
      [...messages].some((message) => message.process === process && !message.detached),
    options: (): Option[] => [...messages].flatMap(deliveriesOf),
    faults: (faults: readonly MessageFault[]): Option[] =>
      [...messages]
        .filter(({ detached }) => !detached)
        .flatMap((message) =>
          faults.map((fault) => ({
            label: `${message.name}: ${fault}`,
            run: () => injectFault(message, fault),
          })),
        ),
  };
};
export type Network<Process> = ReturnType<typeof createNetwork<Process>>;
