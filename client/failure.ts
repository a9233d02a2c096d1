import { isObject } from './file-view.ts';

/** Why fetch got no response. */
type Failure = {
  /** A sentence for people. */
  readonly message: string;
  /** Whether the request may have been sent. */
  readonly maybeSent: boolean;
};

/** As Node names the reason. A browser gives none. */
type Reason = { readonly code: string; readonly syscall: string };

const lost: Failure = { message: 'The connection failed or was lost', maybeSent: true };
/** The first row that fits counts. */
const failures: readonly (readonly [fits: (reason: Reason) => boolean, failure: Failure])[] = [
  [
    ({ syscall }) => syscall === 'getaddrinfo',
    { message: 'The host of baseUrl was not found', maybeSent: false },
  ],
  [({ code }) => code === 'ECONNREFUSED', { message: 'The host refused the connection', maybeSent: false }],
  [
    ({ code, syscall }) => syscall === 'connect' || code === 'UND_ERR_CONNECT_TIMEOUT',
    { message: 'The host could not be reached, or not in time', maybeSent: false },
  ],
  // A certificate is rejected before anything is sent, but TLS can fail later too.
  [
    ({ code }) => /^(EPROTO$|ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_)|SELF_SIGNED/.test(code),
    { message: 'TLS failed, for example because of the certificate of the host', maybeSent: true },
  ],
];

const toFailure = (error: unknown): Failure => {
  const { code, syscall } = Object(error);
  const reason = { code: String(code), syscall: String(syscall) };
  return failures.find(([fits]) => fits(reason))?.[1] ?? lost;
};

/** What an error of fetch means. */
export const describeFailure = (thrown: unknown): Failure => {
  try {
    const cause = isObject(thrown) ? thrown['cause'] : undefined;
    // One error for each address of the host.
    const errors: readonly unknown[] =
      isObject(cause) && Array.isArray(cause['errors']) ? cause['errors'] : [cause];
    const [first = lost, ...others] = errors.map(toFailure);
    return { message: first.message, maybeSent: [first, ...others].some(({ maybeSent }) => maybeSent) };
  } catch {
    return lost;
  }
};
