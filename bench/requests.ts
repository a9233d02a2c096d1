import event from '../events/update-file.json' with { type: 'json' };

/**
 * A request to check: how it differs from events/update-file.json, its status, and what its response has. Only what no
 * definition of lib/domain and no message decides: so a new field or limit changes nothing here.
 */
type Check = readonly [name: string, difference: Difference, status: number, has?: object];
type Difference = {
  readonly apiKey?: string | undefined;
  readonly spaceId?: string;
  readonly fileId?: string;
  readonly body?: string;
};

const toRequest = ([name, difference, status, has = {}]: Check) => {
  const { pathParameters, headers, requestContext } = event;
  const given = { ...pathParameters, apiKey: headers['x-api-key'], body: event.body, ...difference };
  const path = `/v1/spaces/${given.spaceId}/files/${given.fileId}`;
  const changed = {
    ...event,
    rawPath: path,
    headers: {
      ...headers,
      'x-api-key': given.apiKey,
      'content-length': String(Buffer.byteLength(given.body)),
    },
    requestContext: { ...requestContext, http: { ...requestContext.http, path } },
    pathParameters: { spaceId: given.spaceId, fileId: given.fileId },
    body: given.body,
  };
  // JSON leaves out an API key that is undefined.
  return { name, event: JSON.stringify(changed), status, has };
};

const summary = 'What to do in the first week.';
const withPatch = (patch: object): Difference => ({ body: JSON.stringify(patch) });
const updated = (name: string, patch: object, kept: object = {}): Check => [
  name,
  withPatch(patch),
  200,
  { id: event.pathParameters.fileId, ...patch, ...kept },
];
const contacts = 'a71d0c52-8f3e-4b69-b2d4-5c6e7f809112';

const checks: readonly Check[] = [
  updated('updated-empty-string', { summary: '' }, { documentKind: 'guide' }),
  updated('cleared-both', { summary: null, documentKind: null }),
  updated('updated', { summary, documentKind: 'checklist' }),
  updated('set-and-cleared', { summary, documentKind: null }),
  [
    'updated-basic-shape',
    { fileId: contacts, ...withPatch({ documentKind: 'directory' }) },
    200,
    { id: contacts, documentKind: 'directory' },
  ],
  ['api-key-missing', { apiKey: undefined }, 401],
  ['api-key-unknown', { apiKey: 'demo-editor-key-' }, 401],
  ['api-key-revoked', { apiKey: 'demo-revoked-key' }, 401],
  ['api-key-expired', { apiKey: 'demo-expired-key' }, 401],
  ['permission-other-tenant', { apiKey: 'demo-globex-key' }, 403],
  ['permission-other-scope', { apiKey: 'demo-internal-key' }, 403],
  ['permission-viewer', { apiKey: 'demo-viewer-key' }, 403],
  [
    'permission-private-space',
    { spaceId: 'ada-drafts', fileId: 'c9e4f6a8-1d2b-4e3c-8a5f-90b1c2d3e4f5' },
    403,
  ],
  ['summary-wrong-type', withPatch({ summary: ['a'] }), 400],
  ['field-unknown', withPatch({ x: 1 }), 400],
  ['field-not-editable', withPatch({ summary: 'a', id: 'a' }), 400],
  ['patch-empty', withPatch({}), 400],
  ['body-not-json', { body: '{"summary":' }, 400],
  ['space-not-found', { spaceId: 'no-such-space' }, 404],
  [
    'space-of-another-tenant',
    { spaceId: 'globex-plans', fileId: '5d6c7b8a-9f01-4a2b-8c3d-4e5f60718293' },
    404,
  ],
  ['file-not-found', { fileId: '00000000-0000-4000-8000-000000000000' }, 404],
];

/** Good and bad requests, to which every variant must respond like this, on the demo data, in this order. */
export const checkedRequests = checks.map(toRequest);

/** The request that is measured: an update of both fields. Its body is not checked: that would take measured time. */
export const update = { name: 'updated', event: JSON.stringify(event), status: 200 };
