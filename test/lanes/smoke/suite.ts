import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { toFileView } from '#lib/domain/file.ts';
import { editableFields } from '#lib/domain/file-patch.ts';
import {
  before,
  byGateway,
  type Case,
  type Expected,
  type FileName,
  responseTo,
  type Sent,
  type Step,
} from '#test/requests/cases/case.ts';
import { fixture } from '#test/requests/cases/fixture.ts';
import { completeRequest } from '#test/requests/cases/request.ts';
import { runSteps } from '#test/requests/steps.ts';
import { readChanges } from '#test/support/changes.ts';
import { responseErrors, responseHeaders } from '#test/support/openapi.ts';
import { runningProject } from '#test/support/processes.ts';
import { readTableNames } from '#tools/tables/environment.ts';
import { createSend, type HttpRequest, type HttpResponse, type Send } from './http.ts';

const { files, apiKeys } = fixture;

/** What a client sees of a file, or a patch of it. */
type Fields = Readonly<Record<string, unknown>>;
type File = {
  /** The whole file at first. */
  readonly original: Fields;
  etag: string;
  /** The etag before the current one. */
  stale: string;
  /** The etag with which the file has the values of `before`. */
  reset: string;
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

const toRequest = (sent: Sent, name: FileName, known?: File): HttpRequest => {
  const { method, path, headers, body } = completeRequest({ file: name }, sent, known);
  return { method, path, headers, body: body ?? '', chunked: sent.chunked };
};

/**
 * The headers of the function that are compared; a gateway may add others. The id of a request is new each time, and API
 * Gateway may rename www-authenticate (docs/contract.md, Responses): test/requests compares both.
 */
const compared = responseHeaders.filter((name) => !['x-request-id', 'www-authenticate'].includes(name));

/** Of the responses that a case allows, the one with the status that has come. */
const chooseExpected = (expected: Expected, status: number): Expected =>
  expected.or?.status === status ? expected.or : expected;

/** A weak etag never matches: this request changes nothing, and its 412 has the current etag. */
const peek: Sent = { headers: { 'if-match': 'W/"0"' } };
const write = (patch: Fields): Sent => ({ body: JSON.stringify(patch) });

/** Runs cases against a service. After each rejection, it shows that the etag of the file is the same. */
const createSuite = (send: Send) => {
  const opened = new Map<FileName, File>();
  const seen = new Set<string>();
  const updates: { readonly version: number; readonly file: { readonly id?: unknown } }[] = [];
  let serverErrors = 0;
  const isNew = (text: string) => seen.size !== seen.add(text).size;

  /** Sends a request about a file. Rejects for a response that no case allows, or that has an API key. */
  const exchange = async (sent: Sent, name: FileName, expected?: Expected): Promise<HttpResponse> => {
    const response = await send(toRequest(sent, name, opened.get(name)));
    const { status, headers, text } = response;
    // First of all, so that no message below can show a key.
    const all = [text, ...Object.values(headers)];
    if (Object.values(apiKeys).some((key) => all.some((part) => part.includes(key))))
      throw new Error('the response has an API key');
    if (status >= 500) serverErrors += 1;
    if (expected && chooseExpected(expected, status).gateway) return response;
    const { 'x-request-id': id, 'apigw-requestid': gatewayId, etag } = headers;
    const { 'idempotency-replayed': replayed, ...others } = headers;
    // A replay with a new etag is of an attempt that the service itself has made, and whose response was lost.
    const isWritten = status === 200 && !(replayed && seen.has(`${name} ${etag}`));
    const problems = [
      ...responseErrors({ status, headers, body: parseJson(text) }, { extraHeaders: true }),
      ...(isNew(`request ${id}`) ? [] : ['x-request-id is not new']),
      ...(id === gatewayId ? ['x-request-id is the one of API Gateway'] : []),
      ...(!isWritten || isNew(`${name} ${etag}`) ? [] : ['etag is not new']),
    ];
    if (isWritten) updates.push({ version: Number(etag?.slice(1, -1)), file: Object(parseJson(text)) });
    if (problems.length > 0) throw new Error(`${problems.join('; ')}: ${status} ${text.slice(0, 500)}`);
    return isWritten ? { ...response, headers: others } : response;
  };

  /** Checks that the fixture can be used, without a write; then reads the file by writing its own documentKind. */
  const open = async (name: FileName): Promise<File> => {
    const stated = files[name];
    const { documentKind } = stated;
    const probe = await exchange({ ...peek, ...write({ documentKind }) }, name, byGateway);
    const advice = 'after 500, set API_KEYS_TABLE, SPACES_TABLE and FILES_TABLE';
    const problem = `the fixture cannot be used: a weak If-Match for its file ${name} must get 412 (${advice})`;
    expect(`${probe.status} ${probe.text.slice(0, 500)}`, problem).toMatch(/^412 /);
    const { headers, text } = await exchange(write({ documentKind }), name);
    const view = { ...Object(parseJson(text)) };
    expect(view, `the file ${name} is as the fixture states`).toMatchObject(stated);
    if (name === 'basic') expect(view).not.toHaveProperty('originalName');
    const file = { original: view, etag: headers['etag'] ?? '', stale: '', reset: '' };
    opened.set(name, file);
    return file;
  };

  /** Sends one request of a case and compares the whole response. */
  const step = async (name: FileName, file: File, [sent, allowed]: Step): Promise<void> => {
    const { status, headers, text } = await exchange(sent, name, allowed);
    const expected = chooseExpected(allowed, status);
    const { status: wanted, message = 'a rejection' } = expected;
    if (wanted !== 200 && status === 200)
      throw new Error(
        `the request has written, although it expects ${wanted} ${message}: ${text.slice(0, 500)}`,
      );
    if (wanted === '4xx') expect(`${status}`, 'the status').toMatch(/^4..$/);
    else if (expected.gateway) {
      const body = expected.message === undefined ? text : JSON.stringify({ message });
      expect({ status, text }, 'the response').toEqual({ status: wanted, text: body });
    } else {
      const onlyCompared = (all: Readonly<Record<string, unknown>>) =>
        Object.fromEntries(Object.entries(all).filter(([header]) => compared.includes(header)));
      const actual = {
        status,
        headers: onlyCompared(headers),
        body: expected.file ? parseJson(text) : text,
      };
      const known = { view: file.original, etag: file.etag };
      const response = responseTo(expected, known, expect.stringMatching(/^"\d+"$/));
      expect(actual, 'the response').toStrictEqual({ ...response, headers: onlyCompared(response.headers) });
    }
    if (expected.replayed) return;
    if (status === 200) return void Object.assign(file, { etag: headers['etag'], stale: file.etag });
    const afterwards = await exchange(peek, name);
    const state = [afterwards.status, afterwards.headers['etag']];
    expect(state, 'the request has written, although it was rejected').toStrictEqual([412, file.etag]);
  };

  /** Gives a file its first values back, also those that no case should have changed, except the values given. */
  const giveBack = async (name: FileName, file: File, values: Fields, title: string): Promise<void> => {
    const { original } = file;
    const first = editableFields
      .filter((field) => field in original)
      .map((field) => [field, original[field]]);
    const { status, headers, text } = await exchange(
      write({ ...Object.fromEntries(first), ...values }),
      name,
    );
    const expected = { status: 200, file: { ...original, ...values } };
    expect({ status, file: parseJson(text) }, title).toStrictEqual(expected);
    Object.assign(file, { etag: headers['etag'], stale: file.etag });
  };

  let stop: string | undefined;
  return {
    send: exchange,
    /** Version and file of each response that says that its request was written, and how many leave it open. */
    observed: () => ({ updates, serverErrors }),
    /** Why no other case can run, for example because a file cannot get its first values back. */
    stopped: () => stop,
    /** Runs a case. Rejects with the difference at the first response that is not as expected. */
    run: async (oneCase: Case): Promise<void> => {
      const { name: title, file: name } = oneCase;
      const reset = async (file: File) => {
        await giveBack(name, file, before, `the values with which the case "${title}" starts`);
        file.reset = file.etag;
      };
      let file: File;
      try {
        file = opened.get(name) ?? (await open(name));
        if (file.reset !== file.etag) await reset(file);
      } catch (problem) {
        stop = `The case "${title}" could not start: ${problem}`;
        throw problem;
      }
      try {
        await runSteps(oneCase, (one) => step(name, file, one));
      } catch (error) {
        // A case that fails may leave anything.
        await reset(file).catch((problem: unknown) => {
          stop = `After the case "${title}", the file cannot get its first values back: ${problem}`;
        });
        throw error;
      }
    },
    /** Gives the files their first values back. */
    restore: async (): Promise<void> => {
      for (const [name, file] of opened)
        await giveBack(name, file, {}, `the first values of ${name} cannot be written back`);
    },
  };
};

/** The address of a service, once its tests run, and that of its DynamoDB if it is a local one. */
type Service = { readonly url: string; readonly endpoint?: string };

/** Registers a test for each case, against this service, the one of the environment or a local one. */
export const registerCases = (cases: readonly Case[], given?: Service) => {
  const { CONTRACT_URL } = process.env;
  const service: Service = given ?? (CONTRACT_URL ? { url: CONTRACT_URL } : runningProject());
  let suite: ReturnType<typeof createSuite>;
  beforeAll(() => {
    suite = createSuite(createSend(service.url));
  });
  afterAll(() => suite.restore());
  for (const oneCase of cases)
    test(oneCase.name, async ({ skip }) => {
      const stop = suite.stopped();
      skip(stop !== undefined, stop);
      await suite.run(oneCase);
    });

  test('the stream of the files table has one change for each update, and no other', async ({ skip }) => {
    const table = CONTRACT_URL ? process.env['FILES_TABLE'] : readTableNames().FILES_TABLE;
    if (!table) return skip('FILES_TABLE is not set');
    const read = () => readChanges(table, service.endpoint);
    skip((await read()) === undefined, 'the table has no stream');
    // On AWS, it may be later than the responses.
    await vi.waitFor(async () => {
      const changes = (await read())?.flatMap(({ after }) => (after ? [after] : [])) ?? [];
      const { updates, serverErrors } = suite.observed();
      let others = 0;
      for (const [id, expected] of Map.groupBy(updates, ({ file }) => file.id)) {
        const ofFile = changes.filter(({ fileId }) => fileId === id);
        const known = new Set<unknown>(expected.map(({ version }) => version));
        const found = ofFile.filter(({ version }) => known.has(version));
        const seen = found.map((image) => ({ version: image['version'], file: toFileView(image) }));
        expect(seen).toEqual(expected);
        // Since the first update.
        const all = ofFile.slice(ofFile.findIndex(({ version }) => known.has(version)));
        others += all.length - found.length;
      }
      expect(others).toBeLessThanOrEqual(serverErrors);
    }, 30_000);
  });
};
