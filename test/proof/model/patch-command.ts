import type { AsyncCommand } from 'fast-check';
import { expect } from 'vitest';
import type { ApiResponse } from '#lib/http/response.ts';
import { anEvent, aRestEvent } from '#test/support/event.ts';
import { patched, refusalBeforeWrite, refusalOfWrite, versionOf, viewOf } from './reference.ts';
import type { ModelRequest } from './request.ts';
import type { RequestPlan } from './requests.ts';
import { expectSameTables, type Model, type Real } from './run.ts';
import { find, withRecord } from './state.ts';

const eventOf = ({ format }: RequestPlan, request: ModelRequest) => {
  const { apiKey, tenant, user, ifMatch, body, spaceId, fileId } = request;
  const headers = {
    'x-api-key': apiKey.sent,
    'x-tenant-id': tenant.sent,
    'x-user-id': user.sent,
    'if-match': ifMatch.sent,
    ...body.headers,
  };
  const sent = { headers, body: body.text, isBase64Encoded: body.isBase64Encoded };
  return format === '2.0'
    ? anEvent({ ...sent, spaceId, fileId })
    : aRestEvent({ ...sent, spaceId: encodeURIComponent(spaceId), fileId: encodeURIComponent(fileId) });
};

const whole = (
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>>,
  requestId: string,
) => ({
  statusCode: status,
  headers: {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
    ...headers,
  },
  body,
});

/**
 * What the reference says to a request, given the answer: only the version and the request's id are taken over from
 * it, and both must be new.
 */
const expectAnswer = (model: Model, request: ModelRequest, response: ApiResponse): void => {
  const { 'x-request-id': requestId = '', etag = '' } = response.headers;
  const answered = { ...response, body: JSON.parse(response.body) };
  expect(model.seenRequestIds.has(requestId)).toBe(false);
  model.seenRequestIds.add(requestId);

  const { state } = model;
  const refusal = refusalBeforeWrite(state, request) ?? refusalOfWrite(state, request);
  if (refusal) {
    const { status, message, headers = {} } = refusal;
    expect(answered).toStrictEqual(whole(status, { message }, headers, requestId));
    return;
  }
  const file = find(state, 'files', request) ?? {};
  const patch = 'patch' in request.body.means ? request.body.means.patch : {};
  const version = Number(etag.slice(1, -1));
  expect(version).toBeGreaterThan(versionOf(file));
  model.seenVersions.push(version);
  const record = patched(file, patch, { version, requestId, updatedBy: request.user.sent });
  expect(answered).toStrictEqual(whole(200, viewOf(record), { etag: `"${version}"` }, requestId));
  model.state = withRecord(state, 'files', record);
};

/** One request: its answer and every table, against the reference. `tally` counts the answer. */
export const patchCommand = (
  plan: RequestPlan,
  tally: (response: ApiResponse) => void,
): AsyncCommand<Model, Real> => ({
  check: () => true,
  run: async (model, real) => {
    const current = versionOf(find(model.state, 'files', plan));
    const request = { ...plan, ifMatch: plan.ifMatch.of(current, model.seenVersions) };
    const response = await real.service.send(eventOf(plan, request));
    tally(response);
    expectAnswer(model, request, response);
    await expectSameTables(model, real);
  },
  toString: () => {
    const { apiKey, tenant, user, spaceId, fileId, body, ifMatch, format } = plan;
    const sent = [apiKey.sent, tenant.sent, user.sent, spaceId, fileId, ifMatch.name, format, body.text];
    return `patch(${sent.map((part) => JSON.stringify(part)?.slice(0, 200)).join(', ')})`;
  },
});
