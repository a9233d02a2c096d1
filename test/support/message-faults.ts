import { DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
import type { Command } from '#lib/store/tables.ts';

/** A call to DynamoDB on its way. `deliver` gives it to the tables, and gives what the SDK would: a result or an error. */
type Call = {
  readonly command: Command;
  readonly deliver: () => Promise<unknown>;
  readonly signal: AbortSignal | undefined;
};

/** What comes of a call. The sender of a lost one never hears of it. */
export type Network = (call: Call) => Promise<unknown>;
export const lost = Symbol('lost');

/**
 * What can go wrong with one message: when the table applies it (never, now, at any later moment, or twice), and what
 * its sender sees (nothing, an error, or a response that does not hold what it must).
 */
type Effect = {
  readonly applied: 'never' | 'now' | 'later' | 'twice';
  readonly response?: () => unknown;
  /** DynamoDB said that it did not apply the message. */
  readonly isRejection?: true;
  /** It ends a request with 500, because sending again cannot help. */
  readonly isFinal?: true;
};

const networkError = (code: string) => () => Object.assign(new Error('connection lost'), { code });
const serviceError =
  (name: string, httpStatusCode: number, message = name) =>
  () =>
    new DynamoDBServiceException({
      name,
      message,
      $fault: httpStatusCode < 500 ? 'client' : 'server',
      $metadata: { httpStatusCode },
    });
const reset = networkError('ECONNRESET');
const serverError = serviceError('InternalServerError', 500);

const faults = {
  lost: { applied: 'never' },
  late: { applied: 'later' },
  'response lost': { applied: 'now' },
  reset: { applied: 'never', response: reset },
  'reset, applied': { applied: 'now', response: reset },
  'reset, late': { applied: 'later', response: reset },
  '500': { applied: 'never', response: serverError },
  '500, applied': { applied: 'now', response: serverError },
  '500, late': { applied: 'later', response: serverError },
  throttled: {
    applied: 'never',
    isRejection: true,
    response: serviceError('ProvisionedThroughputExceededException', 400),
  },
  'transaction conflict': {
    applied: 'never',
    isRejection: true,
    response: serviceError('TransactionConflictException', 400),
  },
  'clock rejected': {
    applied: 'never',
    isRejection: true,
    response: serviceError('InvalidSignatureException', 400, 'Signature not yet current: 2'),
  },
  'access denied': {
    applied: 'never',
    isFinal: true,
    response: serviceError('AccessDeniedException', 400),
  },
  'cut, applied': { applied: 'now', response: () => new SyntaxError('Unexpected end of JSON input') },
  'malformed head, applied': { applied: 'now', response: networkError('HPE_INVALID_CONSTANT') },
  'empty, applied': { applied: 'now', response: () => ({}) },
  unprocessed: {
    applied: 'never',
    response: () => ({ Responses: {}, UnprocessedKeys: { spaces: {} } }),
  },
  duplicate: { applied: 'twice' },
  'of another item, applied': {
    applied: 'now',
    isFinal: true,
    response: () => ({
      Attributes: {
        spaceId: 'handbook',
        fileId: 'other',
        language: 'en',
        domain: 'd',
        w1: 'request9..1',
      },
      Responses: {
        apiKeys: [
          { keyHash: 'other', keyId: 'k', tenantId: 'acme', scope: 'PRODUCT', roles: [], revokedAt: 1 },
        ],
      },
    }),
  },
} satisfies Record<string, Effect>;
export type MessageFault = keyof typeof faults;

const isFaultName = (name: string): name is MessageFault => name in faults;
export const messageFaults = Object.keys(faults).filter(isFaultName);
export const faultOf = (name: MessageFault): Effect => faults[name];
export const isFinal = (fault: MessageFault): boolean => faultOf(fault).isFinal ?? false;
export const isRejection = (fault: MessageFault): boolean => faultOf(fault).isRejection ?? false;
/** After these, sending again may help. */
export const retryableFaults = messageFaults.filter((fault) => !isFinal(fault));
/** The smallest set that shows the rule: each leaves the sender in doubt and differs in what the table does. */
export const unknownOutcomes: readonly MessageFault[] = [
  'lost',
  'late',
  'reset',
  'reset, late',
  '500, applied',
];

/** Faults of a message that does not arrive later than the one that its sender sends next. */
export type Fault = Exclude<MessageFault, 'late' | 'reset, late' | '500, late' | 'duplicate'>;
export const isFault = (fault: MessageFault): fault is Fault =>
  /^(?:never|now)$/.test(faultOf(fault).applied);
/** Lets a call in this process meet a fault, if there is one. */
export const meet = async (fault: Fault | undefined, { deliver }: Call): Promise<unknown> => {
  if (fault === undefined) return deliver();
  const { applied, response } = faultOf(fault);
  // A table that rejects it does not matter here.
  if (applied === 'now') await deliver().catch(() => undefined);
  if (response === undefined) return lost;
  const outcome = response();
  if (outcome instanceof Error) throw outcome;
  return outcome;
};
