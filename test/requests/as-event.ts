import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect } from 'vitest';
import { editableFields } from '#lib/domain/file-patch.ts';
import { RECENT_WRITE_ATTRIBUTES } from '#lib/store/recent-writes.ts';
import { anEvent, aRestEvent, base64 } from '#test/support/event.ts';
import { aFileView, firstWrite, without } from '#test/support/fixtures.ts';
import { meet, type Network } from '#test/support/message-faults.ts';
import type { Exchange } from '#test/support/service.ts';
import { idOf, type TestTables } from '#test/support/simulated-tables.ts';
import demo from '#tools/tables/demo-data.json' with { type: 'json' };
import { before, type Case, type Expected, responseTo, type Sent, type Stored } from './cases/case.ts';
import { completeRequest, locate } from './cases/request.ts';
import { runSteps } from './steps.ts';

export type Format = '1.0' | '2.0';
type Request = ReturnType<typeof completeRequest>;

/** The event by which API Gateway passes on a request. Only in format 2.0, the ids of the path are decoded. */
export const toEvent = (format: Format, sent: Sent, { space, file, headers, body }: Request): unknown => {
  if ('event' in sent) return sent.event;
  const toId = format === '2.0' ? decodeURIComponent : (id: string) => id;
  const isBase64Encoded = body instanceof Uint8Array;
  const parts = {
    spaceId: toId(space),
    fileId: toId(file),
    body: isBase64Encoded ? base64(body) : body,
    isBase64Encoded,
  };
  const lists = Object.entries(Object.groupBy(headers, ([name]) => name)).map(
    ([name, pairs = []]) => [name, pairs.map(([, value]) => value)] as const,
  );
  const headersBy = (join: (values: readonly string[]) => unknown) =>
    Object.fromEntries(lists.map(([name, values]) => [name, join(values)]));
  if (format === '2.0')
    return anEvent({ ...parts, extra: { headers: headersBy((values) => values.join()), ...sent.members } });
  const both = {
    headers: headersBy((values) => values.at(-1)),
    multiValueHeaders: headersBy((values) => values),
  };
  return aRestEvent({ ...parts, extra: { ...both, ...sent.members } });
};

/** What is sent as a header. If it is sent more than once, API Gateway joins the values, and no id has a comma. */
const sentAs = (wanted: string, { headers }: Request): string | undefined =>
  headers.flatMap(([name, value]) => (name.toLowerCase() === wanted ? [value] : [])).join() || undefined;

/** An id of the path in the log, which keeps so many characters of it. */
const pathId = (sent: string) => decodeURIComponent(sent).slice(0, 256);

/**
 * The line that a request leaves in the log, with the ids that were sent, unless the case says something else. A 5xx also
 * has where it comes from, and what caused it: test/unit has these.
 */
const lineOf = (
  { status, code, reason, log }: Expected,
  request: Request,
  known: { readonly format: Format; readonly requestId: string },
) => ({
  level: Number(status) >= 500 ? 'error' : 'info',
  outcome: code ?? 'updated',
  reason,
  statusCode: status,
  ...known,
  awsRequestId: 'lambda-1',
  gatewayRequestId: 'gateway-1',
  userId: sentAs('x-user-id', request),
  tenantId: sentAs('x-tenant-id', request),
  keyId: demo.apiKeys.find(({ key }) => key === sentAs('x-api-key', request))?.keyId,
  spaceId: pathId(request.space),
  fileId: pathId(request.file),
  ms: 0,
  retries: 0,
  conflicts: 0,
  ...log,
});

/** What a client sees of a stored file. */
const viewOf = ({ fileId: id, ...record }: Stored) => {
  const absent = editableFields.map((name) => [name, null]);
  const visible = Object.entries({ ...Object.fromEntries(absent), tags: [], ...record });
  return { id, ...Object.fromEntries(visible.filter(([name]) => name in aFileView())) };
};
const etagOf = ({ version = 0 }: Stored) => `"${version}"`;

/** The record of a file after a request: its fields, who has written them, its version, and the recent writes. */
const recordAfter = (
  { file, replayed, written = replayed ? undefined : file, mark }: Expected,
  item: Stored,
  updatedBy: unknown,
  { requestId, version }: Exchange['drawn'],
): Stored => {
  if (written === undefined) return item;
  const fields = Object.entries({ ...item, ...written }).filter(([, value]) => value !== null);
  const first = firstWrite(version, requestId);
  const older = RECENT_WRITE_ATTRIBUTES.slice(1).map((name, place) => [name, item[`w${place + 1}`] ?? '']);
  const byKey = { w1: expect.stringMatching(`^${mark}\\.${version.toString(36)}$`) };
  const writes = { ...first, ...Object.fromEntries(older), ...(mark !== undefined && byKey) };
  return { ...Object.fromEntries(fields), ...writes, updatedBy };
};

/** A network whose calls meet the faults of a request. Before the first write without one, somebody else writes. */
const disturb = ({ network = {} }: Sent, writeMeanwhile: () => unknown): Network => {
  const seen = { read: 0, write: 0 };
  let isDisturbed = false;
  return async (call) => {
    const kind = call.command instanceof UpdateCommand ? 'write' : 'read';
    const { [kind]: faults = [] } = network;
    const fault = typeof faults === 'string' ? faults : faults[seen[kind]++];
    if (kind === 'write' && fault === undefined && !isDisturbed) {
      isDisturbed = true;
      await writeMeanwhile();
    }
    return meet(fault, call);
  };
};

/** A service, in this process or another one. */
export type Sender = {
  readonly tables: Pick<TestTables, 'get' | 'put' | 'remove' | 'records'>;
  readonly send: (
    event: unknown,
    options: { remainingMs: number; through: Network },
  ) => Promise<Omit<Exchange, 'calls'>>;
};

/**
 * Sends the requests of a case as events. After each, compares the whole response, the log line and all stored records
 * with what the case expects.
 */
export const runAsEvent = async ({ tables, send }: Sender, oneCase: Case, format: Format) => {
  const place = locate(oneCase);
  const key = idOf('files', place);
  const first = await tables.get('files', place);
  await tables.put('files', oneCase.stored ?? { ...first, ...before });
  try {
    let records = await tables.records();
    let stale = '';
    await runSteps(oneCase, async ([sent, expected]) => {
      const item = records[key] ?? {};
      const etag = etagOf(item);
      const { remainingMs = 10_000 } = sent;
      const request = completeRequest(oneCase, sent, { etag, stale });
      /** As the write finds it. */
      const found = { ...item, ...sent.meanwhile };
      const through = disturb(sent, () => sent.meanwhile && tables.put('files', found));
      const {
        response,
        line,
        records: after,
        drawn,
      } = await send(toEvent(format, sent, request), { remainingMs, through });
      const version = Math.max(drawn.version, Number(found['version'] ?? 0) + 1);

      const { statusCode: status, headers, body } = response;
      const actual = { status, headers, body: expected.file ? JSON.parse(body) : body };
      const known = { view: viewOf(found), etag: etagOf(found) };
      const wanted = responseTo(expected, known, `"${version}"`);
      expect(actual, 'the response').toEqual({
        ...wanted,
        headers: { ...wanted.headers, 'x-request-id': drawn.requestId },
      });
      const untold = ['cause', ...(Number(expected.status) < 500 ? [] : ['call'])];
      const ignored = untold.filter((name) => !(name in Object(expected.log)));
      const logged = without(line, 'error', ...ignored);
      expect(logged, 'the log line').toEqual(
        lineOf(expected, request, { format, requestId: drawn.requestId }),
      );

      const record = recordAfter(expected, found, sentAs('x-user-id', request), { ...drawn, version });
      expect(after, 'the stored records').toStrictEqual({ ...records, [key]: record });
      if (after[key]?.['version'] !== item['version']) stale = etag;
      records = after;
    });
  } finally {
    if (first === undefined) await tables.remove('files', place);
    else await tables.put('files', first);
  }
};
