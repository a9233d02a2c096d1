import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { ATTEMPT_TIMEOUT_MS } from '#lib/times.ts';
import { forwardTo, type Reply, startServer } from '#test/support/server.ts';
import { spoiledRecords, startTls } from '#test/support/tls.ts';
import { startFaultProxy } from './fault-proxy.ts';
import { hang, itemTooLarge, permanent, rejectedSignature, transient } from './http-faults.ts';
import { judge, observe } from './judge.ts';
import { buildFunction, openSpaces, startFunction } from './lambda-function.ts';

const folder = buildFunction();

const faults = Object.entries({ ...transient, ...permanent, 'item too large': itemTooLarge });
const all = (['read', 'write'] as const).flatMap((kind) =>
  faults.map(([name, fault]) => ({ name: `${kind}: ${name}`, kind, fault, isTransient: name in transient })),
);

// What the SDK makes of each reply. What the service makes of that, also again and again, is in test/requests/cases/faults.ts.
test('the function gives the documented response after each fault of one call', async () => {
  const tables = await openSpaces(all.length);
  const proxy = await startFaultProxy();
  const instance = await startFunction(tables, proxy.endpoint);

  const send = async ({ name, kind, fault, isTransient }: (typeof all)[number], space: number) => {
    proxy.fail(space, kind, fault, isTransient ? 1 : 1_000);
    const startedAt = performance.now();
    const { response } = await instance.send(space);
    const { [kind]: attempts } = proxy.callsOf(space);
    // On a busy machine an attempt may time out before its reply comes, and is then repeated for that reason.
    const mayTimeOut = performance.now() - startedAt >= ATTEMPT_TIMEOUT_MS;
    return [name, response.statusCode, attempts > 1 && (isTransient || !mayTimeOut)];
  };
  const outcomes: unknown[] = [];
  // On a busy machine, more at once may take longer than their deadline.
  for (let first = 0; first < all.length; first += 8) {
    const eight = all.slice(first, first + 8);
    outcomes.push(...(await Promise.all(eight.map((one, at) => send(one, first + at)))));
  }
  const statusOf = ({ name, isTransient }: (typeof all)[number]) => {
    if (isTransient) return 200;
    return name === 'write: item too large' ? 413 : 500;
  };
  expect(outcomes).toEqual(all.map((one) => [one.name, statusOf(one), one.isTransient]));
  expect(judge(await tables.changes(), instance.sent().map(observe))).toEqual([]);
  proxy.heal();
  for (const space of tables.spaces)
    expect(await instance.send(space)).toMatchObject({ response: { statusCode: 200 } });
});

test('more requests than sockets get 503 while every call hangs, and 200 afterwards', async () => {
  const tables = await openSpaces(60);
  const proxy = await startFaultProxy();
  const instance = await startFunction(tables, proxy.endpoint);
  for (const space of tables.spaces) proxy.fail(space, 'read', hang);
  const hung = await Promise.all(tables.spaces.map((space) => instance.send(space, {}, 1_000)));
  expect(new Set(hung.map(({ response }) => response.statusCode))).toEqual(new Set([503]));
  proxy.heal();
  // One after the other: on a busy machine, sixty at once may take longer than an attempt.
  for (const space of tables.spaces)
    expect(await instance.send(space)).toMatchObject({ response: { statusCode: 200 } });
});

test('a request gets 503 after more than one attempt if nobody listens, or DNS does not know the name', async () => {
  const tables = await openSpaces(1);
  const sendTo = async (endpoint: string) => {
    const instance = await startFunction(tables, endpoint);
    const { response, line } = await instance.send(0, {}, 1_600);
    expect([response.statusCode, Number(line['retries']) > 0]).toEqual([503, true]);
  };
  await Promise.all(['http://127.0.0.1:1', 'http://dynamodb.invalid:8000'].map(sendTo));
});

test('a request gets 500 after one attempt if the certificate of DynamoDB is not trusted', async () => {
  const tables = await openSpaces(1);
  const { port } = await startServer(forwardTo(inject('endpoint')));
  const { endpoint } = await startTls(port);
  const instance = await startFunction(tables, endpoint);
  expect(await instance.send(0)).toMatchObject({
    response: { statusCode: 500 },
    line: { retries: 0 },
  });
});

/** Starts the function with these replies to its next calls, in turn. The engine replies to all others. */
const startWithReplies = async (count: number, reply: Reply = forwardTo(inject('endpoint'))) => {
  const tables = await openSpaces(count);
  const replies: Reply[] = [];
  const server = await startServer((response, request) => (replies.shift() ?? reply)(response, request));
  const tls = await startTls(server.port);
  const authority = join(folder, 'authority.pem');
  writeFileSync(authority, tls.cert);
  const instance = await startFunction(tables, tls.endpoint, { env: { NODE_EXTRA_CA_CERTS: authority } });
  return { tables, replies, tls, instance };
};

test.each([
  ['read', 'warm'],
  ['read', 'new'],
  ['write', 'warm'],
  ['write', 'new'],
] as const)('a %s on a %s connection succeeds after each spoiled record of TLS', async (kind, connection) => {
  const forward = forwardTo(inject('endpoint'));
  const forwardAndClose: Reply = (response, request) => {
    response.shouldKeepAlive = false;
    return forward(response, request);
  };
  type Fault = { readonly before?: () => void; readonly reply?: Reply };
  const inResponse = Object.entries(spoiledRecords).flatMap(([name, bytes]): [string, Fault][] => {
    const notApplied: Reply = (_, request) => tls.spoilResponse(request, bytes);
    const applied: Reply = async (response, request) => {
      await request.deliver();
      return notApplied(response, request);
    };
    return [
      [`a response that ${name}, not applied`, { reply: notApplied }],
      [`a response that ${name}, applied`, { reply: applied }],
    ];
  });
  const beforeRequest: [string, Fault][] =
    connection === 'warm'
      ? [['a request that was changed', { before: () => tls.spoilRequest() }]]
      : Object.entries(spoiledRecords).map(([name, bytes]) => [
          `a handshake that ${name}`,
          { before: () => tls.spoilHandshake(bytes) },
        ]);
  const faults = [...inResponse, ...beforeRequest].flatMap(([name, fault]) => [
    { name, fault, headers: {} },
    { name: `${name}, with If-Match`, fault, headers: { 'if-match': '"7"' } },
  ]);
  const { tables, replies, tls, instance } = await startWithReplies(faults.length);

  const outcomes = [];
  for (const [space, { name, fault, headers }] of faults.entries()) {
    const callBefore: Reply = (response, request) => {
      fault.before?.();
      return (connection === 'new' ? forwardAndClose : forward)(response, request);
    };
    const faulty = fault.reply ? [fault.reply] : [];
    replies.push(...(kind === 'read' ? [callBefore, ...faulty] : [forward, callBefore, ...faulty]));
    // A request without a body makes one read, on the connection that the next request finds.
    await instance.send(space, { body: null });
    const { response, line } = await instance.send(space, { headers });
    const { statusCode } = response;
    outcomes.push({ name, statusCode, isRepeated: Number(line['retries']) > 0, left: replies.length });
  }
  expect(outcomes).toEqual(faults.map(({ name }) => ({ name, statusCode: 200, isRepeated: true, left: 0 })));
  expect(judge(await tables.changes(), instance.sent().map(observe))).toEqual([]);
});

test.each([
  ['read', {}, 200],
  ['read', { 'if-match': '"1"' }, 412],
  ['write', {}, 200],
  ['write', { 'if-match': '"1"' }, 412],
] as const)(
  'when the clock of DynamoDB is another one for a %s, and comes right again, a request with %j gets %i',
  async (kind, headers, status) => {
    const forward = forwardTo(inject('endpoint'));
    let [aheadMs, nextAheadMs] = [0, 0];
    /** DynamoDB takes a signature that is at most 5 minutes old or early. */
    const byClock: Reply = async (response, request) => {
      const now = Date.now() + aheadMs;
      const [, date, time] = /^(\d{8})T(\d{6})Z$/.exec(String(request.headers['x-amz-date'])) ?? [];
      const signedAt = Date.parse(
        `${date}T${time}Z`.replace(/(....)(..)(..)T(..)(..)(..)Z/, '$1-$2-$3T$4:$5:$6Z'),
      );
      response.setHeader('date', new Date(now).toUTCString());
      const words = signedAt < now ? 'Signature expired: ' : 'Signature not yet current: ';
      const isAccepted = Math.abs(signedAt - now) < 300_000;
      await (isAccepted ? forward : rejectedSignature(words))(response, request);
      aheadMs = nextAheadMs;
    };
    const { tables, instance } = await startWithReplies(4, byClock);
    const outcomes = [];
    for (const [space, hours] of [1, 0, -1, 0].entries()) {
      nextAheadMs = hours * 3_600_000;
      // Otherwise it changes after the next call, which is the read.
      if (kind === 'read') aheadMs = nextAheadMs;
      const { response, line } = await instance.send(space, { headers });
      outcomes.push({ statusCode: response.statusCode, isRepeated: Number(line['retries']) > 0 });
    }
    expect(outcomes).toEqual(Array(4).fill({ statusCode: status, isRepeated: true }));
    expect(judge(await tables.changes(), instance.sent().map(observe))).toEqual([]);
  },
);
