import { ok } from 'node:assert';
import { validateHeaderValue } from 'node:http';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { getSystemErrorMap } from 'node:util';
import { DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
import { describe, expect, test, vi } from 'vitest';
import { ApiError } from '#lib/domain/errors.ts';
import { createDynamoDBClient } from '#lib/runtime/dynamodb-client.ts';
import { createRetry, IncompleteResponseError, UnprocessedKeysError } from '#lib/store/retry.ts';
import { stubSettings, updateBy } from '#test/support/client.ts';
import { aRequestContext, createTestSystem, watch } from '#test/support/system.ts';

const never = (..._: unknown[]) => new Promise<never>(() => undefined);
const incomplete = new IncompleteResponseError('half a response');
const unprocessed = new UnprocessedKeysError('half a batch');

/** An error as the SDK throws it. */
const sdkError = (name: string, status = 400) =>
  Object.assign(new Error(name), { name, $metadata: { httpStatusCode: status } });
const nodeError = (code: string) => Object.assign(new Error(code), { code });
const rejectedSignature = (message: string) =>
  Object.assign(sdkError('InvalidSignatureException'), { message });
/** DynamoDB's response, whose body has a code as if it were one of Node. */
const responseWithCode = Object.assign(
  new DynamoDBServiceException({
    name: 'AccessDeniedException',
    $fault: 'client',
    $metadata: { httpStatusCode: 400 },
  }),
  { code: 'EMFILE' },
);
const thrownBy = async (action: () => unknown): Promise<unknown> => {
  try {
    return await action();
  } catch (error) {
    return error;
  }
};
/** The error of a client that the environment does not allow to send anything. */
const withoutSending = (variables: Readonly<Record<string, string | undefined>>) => {
  stubSettings('http://127.0.0.1:1');
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  return thrownBy(() => updateBy(createDynamoDBClient())());
};

const webIdentity = {
  AWS_ACCESS_KEY_ID: undefined,
  AWS_ROLE_ARN: 'arn:aws:iam::123456789012:role/reader',
  AWS_CONFIG_FILE: '/dev/null',
  AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
};

/** X509 errors (Node, "TLS", "X509 certificate error codes"), and those of Node itself. */
const certificateCodes = `UNABLE_TO_GET_ISSUER_CERT UNABLE_TO_GET_CRL UNABLE_TO_DECRYPT_CERT_SIGNATURE
  UNABLE_TO_DECRYPT_CRL_SIGNATURE UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY CERT_SIGNATURE_FAILURE CRL_SIGNATURE_FAILURE
  CERT_NOT_YET_VALID CERT_HAS_EXPIRED CRL_NOT_YET_VALID CRL_HAS_EXPIRED ERROR_IN_CERT_NOT_BEFORE_FIELD
  ERROR_IN_CERT_NOT_AFTER_FIELD ERROR_IN_CRL_LAST_UPDATE_FIELD ERROR_IN_CRL_NEXT_UPDATE_FIELD OUT_OF_MEM
  DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_GET_ISSUER_CERT_LOCALLY
  UNABLE_TO_VERIFY_LEAF_SIGNATURE CERT_CHAIN_TOO_LONG CERT_REVOKED INVALID_CA PATH_LENGTH_EXCEEDED INVALID_PURPOSE
  CERT_UNTRUSTED CERT_REJECTED HOSTNAME_MISMATCH ERR_TLS_CERT_ALTNAME_INVALID ERR_TLS_CERT_ALTNAME_FORMAT
  ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_EXPIRED`.split(/\s+/);
/** Those of this system, for example EMFILE. UNKNOWN stands for an error that has no name. */
const systemCodes = [...getSystemErrorMap().values()].map(([name]) => name);
/** An error of Node about a file: by its path, or by a descriptor. */
const ofFile = (code: string) => Object.assign(nodeError(code), { syscall: 'open', path: '/token' });
const ofDescriptor = (code: string) =>
  Object.assign(nodeError(code), { syscall: 'read', message: `${code}: words of the system, read` });
/** By their code alone: some of them are errors of no class of their own. The last two are no codes of Node. */
const mistakesOfInstallation = `ERR_ASSERTION ERR_DLOPEN_FAILED ERR_REQUIRE_ESM ERR_REQUIRE_ASYNC_MODULE
  ERR_PACKAGE_PATH_NOT_EXPORTED ERR_PACKAGE_IMPORT_NOT_DEFINED ERR_INVALID_PACKAGE_TARGET ERR_UNSUPPORTED_DIR_IMPORT
  ERR_UNKNOWN_FILE_EXTENSION ERR_INVALID_ARG_TYPE ERR_ACCESS_DENIED ERR_CRYPTO_FIPS_FORCED ERR_OSSL_EVP_UNSUPPORTED
  ERR_FEATURE_UNAVAILABLE_ON_PLATFORM ERR_INTERNAL_ASSERTION ERR_SSLX ERR_`.split(/\s+/);

/** An attempt that throws each error in turn and then succeeds. */
const attemptAfter = (...errors: readonly unknown[]) => {
  const left = [...errors];
  return async () => {
    if (left.length > 0) throw left.shift();
    return 'response';
  };
};

const failures = (count: number) => Array<unknown>(count).fill(incomplete);

test('the latest error with unknown outcome is returned, whatever other errors follow it', async () => {
  const { retry } = createRetry(createTestSystem());
  const errors = [nodeError('ECONNRESET'), incomplete, sdkError('ThrottlingException')];
  const result = await retry(attemptAfter(...errors), aRequestContext());
  expect(result).toEqual({ result: 'response', outcomeUnknown: incomplete });
});

describe('an attempt', () => {
  test.each([
    [5_000, 700],
    [300, 300],
  ])('with %i ms until the deadline has %i ms', async (deadline, ms) => {
    const system = createTestSystem();
    const { retry } = createRetry(system);
    retry(never, aRequestContext({ deadline })).catch(() => undefined);
    expect(system.timers()).toEqual([ms]);
  });

  test('is not started with less than 10 ms until the deadline', async () => {
    const { retry } = createRetry(createTestSystem());
    const attempt = attemptAfter();
    const failure = new ApiError('unavailable', { reason: 'deadline passed', cause: undefined });
    await expect(retry(attempt, aRequestContext({ deadline: 9.9 }))).rejects.toThrow(failure);
    expect(await retry(attempt, aRequestContext({ deadline: 10 }))).toMatchObject({ result: 'response' });
  });

  test('that never settles is aborted and repeated until the deadline, and the error has the last cause', async () => {
    const system = createTestSystem();
    const context = aRequestContext({ deadline: 2_000 });
    const signals: AbortSignal[] = [];
    const attempt = (signal: AbortSignal) => never(signals.push(signal));
    const result = watch(createRetry(system).retry(attempt, context));
    await system.advance(1_999);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, false]);
    await system.advance(1);
    expect(result()).toMatchObject({
      error: {
        name: 'ApiError',
        code: 'unavailable',
        details: {
          reason: 'deadline passed',
          cause: { name: 'TimeoutError', message: 'not settled after 600 ms' },
        },
      },
    });
    expect(signals[2]).toMatchObject({ aborted: true, reason: { name: 'TimeoutError' } });
    expect(context.logFields).toEqual({ retries: 2, conflicts: 0, versionAheadMs: 0 });
    expect(system.timers()).toEqual([]);
  });

  test.each<readonly [unknown, 'rejected' | 'unknown' | 'final']>([
    [sdkError('ProvisionedThroughputExceededException'), 'rejected'],
    [sdkError('ThrottlingException'), 'rejected'],
    [sdkError('RequestLimitExceeded'), 'rejected'],
    [sdkError('TransactionConflictException'), 'rejected'],
    [sdkError('ReplicatedWriteConflictException'), 'rejected'],
    [sdkError('InternalServerError', 500), 'unknown'],
    [sdkError('NotImplemented', 501), 'unknown'],
    [sdkError('TimeoutError', 0), 'unknown'],
    [rejectedSignature('Signature expired: 1 is now earlier than 2 (3 - 5 min.)'), 'rejected'],
    [rejectedSignature('Signature not yet current: 3 is still later than 2 (1 + 5 min.)'), 'rejected'],
    [nodeError('ECONNRESET'), 'unknown'],
    [nodeError('ECONNREFUSED'), 'unknown'],
    [nodeError('EAI_AGAIN'), 'unknown'],
    [nodeError('EAI_FAIL'), 'unknown'],
    [nodeError('EBUSY'), 'unknown'],
    [nodeError('EMFILE'), 'unknown'],
    [nodeError('ESERVFAIL'), 'unknown'],
    [nodeError('EPROTO'), 'unknown'],
    [nodeError('EPROTONOSUPPORT'), 'unknown'],
    [nodeError('ERR_SSL_SSL/TLS_ALERT_BAD_RECORD_MAC'), 'unknown'],
    [nodeError('ERR_SSL_AT_LEAST_(D)TLS_1.2_NEEDED_IN_SUITE_B_MODE'), 'unknown'],
    [nodeError('ERR_TLS_HANDSHAKE_TIMEOUT'), 'unknown'],
    [nodeError('ERR_HTTP_REQUEST_TIMEOUT'), 'unknown'],
    [nodeError('ERR_HTTP2_STREAM_ERROR'), 'unknown'],
    [nodeError('ERR_SOCKET_CLOSED'), 'unknown'],
    [nodeError('ERR_STREAM_PREMATURE_CLOSE'), 'unknown'],
    [nodeError('ERR_RESPONSE_TOO_LARGE'), 'unknown'],
    [nodeError('HPE_INVALID_CONSTANT'), 'unknown'],
    [Object.assign(nodeError('UNKNOWN'), { errno: -4094, syscall: 'read' }), 'unknown'],
    [Object.assign(nodeError('ENOENT'), { syscall: 'connect', address: '/sock' }), 'unknown'],
    [ofFile('EAGAIN'), 'unknown'],
    [ofFile('EBUSY'), 'unknown'],
    [ofFile('EINTR'), 'unknown'],
    [ofFile('EIO'), 'unknown'],
    [ofFile('EMFILE'), 'unknown'],
    [ofFile('ENFILE'), 'unknown'],
    [ofFile('ENOBUFS'), 'unknown'],
    [ofFile('ENOMEM'), 'unknown'],
    [ofFile('ESTALE'), 'unknown'],
    [ofFile('ETIMEDOUT'), 'unknown'],
    [ofDescriptor('EIO'), 'unknown'],
    [ofDescriptor('EAGAIN'), 'unknown'],
    [new SyntaxError('Unexpected end of JSON input'), 'unknown'],
    [incomplete, 'unknown'],
    [unprocessed, 'unknown'],
    [sdkError('AccessDeniedException'), 'final'],
    [sdkError('CredentialsProviderError', 0), 'final'],
    [rejectedSignature('The request signature we calculated does not match'), 'final'],
    [rejectedSignature('The value is "Signature not yet current"'), 'final'],
    [Object.assign(sdkError('ValidationException'), { message: 'Signature expired: 1' }), 'final'],
    [responseWithCode, 'final'],
    [ofFile('ENOENT'), 'final'],
    [ofFile('EACCES'), 'final'],
    [ofFile('EPERM'), 'final'],
    [ofFile('ENOTDIR'), 'final'],
    [ofFile('ELOOP'), 'final'],
    [ofFile('EIOX'), 'final'],
    [ofDescriptor('EISDIR'), 'final'],
    [nodeError('MODULE_NOT_FOUND'), 'final'],
    [nodeError('ERR_MODULE_NOT_FOUND'), 'final'],
    [nodeError('ABORT_ERR'), 'final'],
    [nodeError('XHPE_INVALID'), 'final'],
    [nodeError('an ECONNRESET'), 'final'],
    [nodeError('ENOTFOUND for a host'), 'final'],
    [nodeError('ENOTFOUND of a HOST'), 'final'],
    [nodeError('Error'), 'final'],
    [Object.assign(new Error('a number as code'), { code: 7 }), 'final'],
    ['a string', 'final'],
  ])('that ends with %s is %s, and repeated unless it is final', async (error, outcome) => {
    const { retry } = createRetry(createTestSystem());
    const context = aRequestContext();
    const settled = await retry(attemptAfter(error), context).catch((thrown: unknown) => thrown);
    const repeated = { result: 'response', outcomeUnknown: outcome === 'unknown' ? error : undefined };
    expect(settled).toEqual(outcome === 'final' ? error : repeated);
    expect(context.logFields.retries).toBe(outcome === 'final' ? 0 : 1);
  });

  /** Which of these codes are repeated, so that the outcome of the call is unknown. */
  const repeatedOf = async (codes: readonly string[]) => {
    const repeated: string[] = [];
    for (const code of codes) {
      const { retry } = createRetry(createTestSystem());
      const context = aRequestContext();
      const settled = await thrownBy(() => retry(attemptAfter(nodeError(code)), context));
      if (Object(settled).outcomeUnknown) repeated.push(code);
    }
    return repeated;
  };
  test('that ends with any error code of the system is repeated', async () => {
    expect(systemCodes.length).toBeGreaterThan(75);
    expect(systemCodes).toContain('UNKNOWN');
    expect(await repeatedOf(systemCodes)).toEqual(systemCodes);
  });
  test('that ends with any error code of a certificate is not repeated', async () => {
    expect(certificateCodes).toHaveLength(31);
    expect(await repeatedOf(certificateCodes)).toEqual([]);
  });
  test('that ends with a code of Node for a mistake of the installation is not repeated', async () => {
    expect(await repeatedOf(mistakesOfInstallation)).toEqual([]);
  });

  // As Node and the SDK make them. Those of connections are in test/lanes/bundle/faults.test.ts.
  test.each<[string, () => Promise<unknown>, object]>([
    [
      'a missing Region',
      () => withoutSending({ AWS_REGION: undefined, AWS_CONFIG_FILE: '/dev/null' }),
      { name: 'Error', message: 'Region is missing' },
    ],
    [
      'an endpoint of two kinds',
      () => withoutSending({ AWS_USE_FIPS_ENDPOINT: 'true' }),
      { name: 'EndpointError' },
    ],
    [
      'missing credentials',
      () =>
        withoutSending({
          AWS_ACCESS_KEY_ID: undefined,
          AWS_CONFIG_FILE: '/dev/null',
          AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
          AWS_EC2_METADATA_DISABLED: 'true',
        }),
      { name: 'CredentialsProviderError' },
    ],
    [
      'a token file that is not there',
      () => withoutSending({ ...webIdentity, AWS_WEB_IDENTITY_TOKEN_FILE: '/nope' }),
      { code: 'ENOENT', path: '/nope' },
    ],
    [
      'a token file that is a folder',
      () => withoutSending({ ...webIdentity, AWS_WEB_IDENTITY_TOKEN_FILE: '/' }),
      { code: 'EISDIR', syscall: 'read' },
    ],
    [
      'a library that cannot be loaded',
      () => thrownBy(() => process.dlopen({ exports: {} }, fileURLToPath(import.meta.url))),
      { code: 'ERR_DLOPEN_FAILED' },
    ],
    ['an assertion', () => thrownBy(() => ok(false)), { name: 'AssertionError', code: 'ERR_ASSERTION' }],
    [
      'a port that does not exist',
      () => thrownBy(() => connect(65_536)),
      { name: 'RangeError', code: 'ERR_SOCKET_BAD_PORT' },
    ],
    [
      'a value that no header can have',
      () => thrownBy(() => new Headers({ 'x-api-key': '\n\0' })),
      { name: 'TypeError' },
    ],
    [
      'a header without a value',
      () => thrownBy(() => Reflect.apply(validateHeaderValue, undefined, ['x-api-key', undefined])),
      { name: 'TypeError', code: 'ERR_HTTP_INVALID_HEADER_VALUE' },
    ],
    [
      'an address that is none',
      () => thrownBy(() => new URL('-')),
      { name: 'TypeError', code: 'ERR_INVALID_URL' },
    ],
    [
      'a module that is not there',
      () => thrownBy(() => createRequire(import.meta.url)('none')),
      { code: 'MODULE_NOT_FOUND' },
    ],
  ])('that ends with %s is not repeated', async (_, make, shape) => {
    const error = await make();
    expect(error).toMatchObject(shape);
    const context = aRequestContext();
    const { retry } = createRetry(createTestSystem());
    await expect(retry(attemptAfter(error), context)).rejects.toBe(error);
    expect(context.logFields.retries).toBe(0);
  });
});

test.each([
  ['doubles up to its cap', 1, 5_000, [25, 50, 100, 200, 400, 800, 1_000, 1_000]],
  ['is a random part of that', 0.5, 5_000, [12.5, 25, 50]],
  ['does not go beyond the deadline', 1, 60, [25, 35]],
])('the wait before a retry %s', async (_, random, deadline, expected) => {
  const system = createTestSystem({ random: () => random });
  const attempt = attemptAfter(...failures(expected.length));
  const result = createRetry(system).retry(attempt, aRequestContext({ deadline }));
  result.catch(() => undefined);
  const waits: number[] = [];
  while (waits.length < expected.length) {
    await system.advance(waits.at(-1) ?? 0);
    waits.push(...system.timers());
  }
  expect(waits).toEqual(expected);
});

test('saves up at most 100 retries', async () => {
  const { retry } = createRetry(createTestSystem());
  for (let responses = 0; responses < 10; responses += 1) await retry(attemptAfter(), aRequestContext());
  const context = aRequestContext();
  await expect(retry(attemptAfter(...failures(101)), context)).rejects.toThrow(
    new ApiError('unavailable', { reason: 'retry budget used up', cause: incomplete }),
  );
  expect(context.logFields.retries).toBe(100);
});

// The log has these names, by which docs/operations.md tells what to do.
test('an incomplete response and an incomplete batch have names of their own', () => {
  expect([incomplete.name, unprocessed.name]).toEqual(['IncompleteResponseError', 'UnprocessedKeysError']);
});
