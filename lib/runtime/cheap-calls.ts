import { createHash, createHmac, createSecretKey, type Hash, type Hmac } from 'node:crypto';
import {
  DynamoDBDocumentClient,
  type ServiceInputTypes,
  type ServiceOutputTypes,
} from '@aws-sdk/lib-dynamodb';
import { getSchemaSerdePlugin } from '@smithy/core/schema';
import type { Command } from '#lib/store/tables.ts';

type Data = string | ArrayBuffer | ArrayBufferView;
const toBytes = (data: Data): Uint8Array => {
  if (typeof data === 'string') return Buffer.from(data);
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
};

/**
 * SHA-256 for the SDK's signer, or HMAC-SHA-256 if there is a secret, which is a KeyObject because Node then computes the
 * HMAC much faster. It is a class because the signer calls `new`.
 */
export class Sha256 {
  readonly #hash: Hash | Hmac;

  constructor(secret?: Data) {
    this.#hash =
      secret === undefined ? createHash('sha256') : createHmac('sha256', createSecretKey(toBytes(secret)));
  }

  update(data: Data): void {
    this.#hash.update(toBytes(data));
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }
}

const doNothing = <Handler>(next: Handler): Handler => next;

type UserAgent = Awaited<ReturnType<DynamoDBDocumentClient['config']['defaultUserAgentProvider']>>;
/** What the SDK sends, without its list of the features that a call uses: `aws-sdk-js/VERSION ua/2.1 os/linux#6.1 ...` */
const toUserAgent = (sections: UserAgent): string =>
  sections
    .map(([name, version]) => name + (version ? (name.includes('/') ? '#' : '/') + version : ''))
    .join(' ');

/** Leaves out what our calls do not need, and does once what the SDK would do again for each call. */
const simplify = ({ config, middlewareStack }: DynamoDBDocumentClient): void => {
  // For the logger, the SDK would copy each input and output.
  middlewareStack.remove('loggerMiddleware');
  // Other middlewares are placed relative to it, so it is replaced and not removed.
  const retry = { name: 'retryMiddleware', step: 'finalizeRequest', priority: 'high' } as const;
  middlewareStack.add(doNothing, { ...retry, override: true });

  let userAgent: string | undefined;
  const setUserAgent = { name: 'getUserAgentMiddleware', step: 'build', priority: 'low' } as const;
  middlewareStack.add(
    (next) => async (args) => {
      userAgent ??= toUserAgent(await config.defaultUserAgentProvider());
      Object.assign(Object(args.request).headers, { 'user-agent': userAgent });
      return next(args);
    },
    { ...setUserAgent, override: true },
  );

  const createSigner = config.signer;
  let signer: ReturnType<typeof createSigner> | undefined;
  config.signer = (authScheme) => {
    signer ??= createSigner(authScheme);
    return signer;
  };
};

type Chain = (args: {
  readonly input: ServiceInputTypes;
}) => Promise<{ readonly output: ServiceOutputTypes }>;

/**
 * What `send` of the SDK does, except that the chain of middlewares is resolved once for each kind of command. The SDK's
 * option `cacheMiddleware` means the same; it works neither with lib-dynamodb nor with an abort signal.
 */
const createSend = (client: DynamoDBDocumentClient) => {
  const { middlewareStack } = client;
  // The SDK copies its configuration several times per call. Copying a plain object is much faster.
  const config = { ...client.config };
  middlewareStack.use(getSchemaSerdePlugin(config));

  // The last of all middlewares. The signal comes with the arguments, because the chain is the same for each call.
  const handleRequest = ({
    request,
    ...options
  }: {
    readonly request: unknown;
    readonly abortSignal?: AbortSignal;
  }) => config.requestHandler.handle(request, options);
  const last = { name: 'handleRequestMiddleware', step: 'deserialize', priority: 'low' } as const;
  middlewareStack.add(() => handleRequest, last);

  // The first of all middlewares: it is given the chain of the others when a command is resolved.
  let resolved: Chain | undefined;
  middlewareStack.add(
    (next) => {
      resolved = next;
      return next;
    },
    { name: 'keepChainMiddleware', step: 'initialize', priority: 'high' },
  );

  const chains = new Map<unknown, typeof resolved>();
  return async (command: Command, options: { readonly abortSignal: AbortSignal }) => {
    if (!chains.has(command.constructor)) {
      command.resolveMiddleware(middlewareStack, config, {});
      chains.set(command.constructor, resolved);
    }
    const chain = chains.get(command.constructor);
    const resolveMiddleware = () => () => chain?.({ input: command.input, ...options });
    // Calls the SDK's own `send`, so that a mock of its class sees each call.
    const { send } = DynamoDBDocumentClient.prototype;
    return Reflect.apply(send, client, [Object.assign(command, { resolveMiddleware }), options]);
  };
};

/** The same client, whose calls take less processor time (docs/decisions/006). The option `sha256` is a part of it. */
export const makeCallsCheap = (client: DynamoDBDocumentClient): DynamoDBDocumentClient => {
  simplify(client);
  return Object.assign(client, { send: createSend(client) });
};
