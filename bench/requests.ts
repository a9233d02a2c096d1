import event from '../events/update-file.json' with { type: 'json' };
import demo from '../tools/tables/demo-data.json' with { type: 'json' };

/** A request to check: how it differs from events/update-file.json, and the status and body of its response. */
type Check = readonly [name: string, difference: Difference, status: number, body: object];
type Difference = {
  readonly apiKey?: string | undefined;
  readonly spaceId?: string;
  readonly fileId?: string;
  readonly body?: string;
};

const toRequest = ([name, difference, status, body]: Check) => {
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
  return { name, event: JSON.stringify(changed), status, body };
};

/** The first two files of the demo data, as a client sees them. */
const [onboarding, contacts] = demo.files.map(({ spaceId: _, fileId: id, ...file }) => ({ id, ...file }));

const summary = 'What to do in the first week.';
const withPatch = (patch: object): Difference => ({ body: JSON.stringify(patch) });
const updated = (name: string, patch: object): Check => [
  name,
  withPatch(patch),
  200,
  { ...onboarding, ...patch },
];

const noKey = { message: 'Invalid API Key' };
const noPermission = { message: 'API Key does not have permission to access this resource' };
const noSpace = { message: 'Space not found' };

const checks: readonly Check[] = [
  // The others set all that they respond with. This one leaves a field as it is in the demo data.
  updated('updated-empty-string', { summary: '' }),
  updated('cleared-both', { summary: null, documentKind: null }),
  updated('updated', { summary, documentKind: 'checklist' }),
  updated('set-and-cleared', { summary, documentKind: null }),
  [
    'updated-basic-shape',
    { fileId: 'a71d0c52-8f3e-4b69-b2d4-5c6e7f809112', ...withPatch({ documentKind: 'directory' }) },
    200,
    { ...contacts, documentKind: 'directory' },
  ],
  ['api-key-missing', { apiKey: undefined }, 401, noKey],
  ['api-key-unknown', { apiKey: 'demo-editor-key-' }, 401, noKey],
  ['api-key-revoked', { apiKey: 'demo-revoked-key' }, 401, noKey],
  ['api-key-expired', { apiKey: 'demo-expired-key' }, 401, noKey],
  ['permission-other-tenant', { apiKey: 'demo-globex-key' }, 403, noPermission],
  ['permission-other-scope', { apiKey: 'demo-internal-key' }, 403, noPermission],
  ['permission-viewer', { apiKey: 'demo-viewer-key' }, 403, noPermission],
  [
    'permission-private-space',
    { spaceId: 'ada-drafts', fileId: 'c9e4f6a8-1d2b-4e3c-8a5f-90b1c2d3e4f5' },
    403,
    noPermission,
  ],
  ['summary-wrong-type', withPatch({ summary: ['a'] }), 400, { message: 'summary must be a string or null' }],
  [
    'summary-too-long',
    withPatch({ summary: 'a'.repeat(10_001) }),
    400,
    { message: 'summary must be at most 10000 characters' },
  ],
  [
    'field-unknown',
    withPatch({ x: 1 }),
    400,
    { message: 'Unknown field "x"; editable fields are summary, documentKind' },
  ],
  [
    'field-not-editable',
    withPatch({ summary: 'a', id: 'a' }),
    400,
    { message: 'Field "id" is not editable' },
  ],
  ['patch-empty', withPatch({}), 400, { message: 'At least one of summary, documentKind must be provided' }],
  ['body-not-json', { body: '{"summary":' }, 400, { message: 'Request body is not valid JSON' }],
  ['space-not-found', { spaceId: 'no-such-space' }, 404, noSpace],
  [
    'space-of-another-tenant',
    { spaceId: 'globex-plans', fileId: '5d6c7b8a-9f01-4a2b-8c3d-4e5f60718293' },
    404,
    noSpace,
  ],
  ['file-not-found', { fileId: '00000000-0000-4000-8000-000000000000' }, 404, { message: 'File not found' }],
];

/** Good and bad requests to which every variant must give these responses, on the demo data, in this order. */
export const checkedRequests = checks.map(toRequest);

/** The request that is measured: an update of both fields. Its body is not checked: that would take measured time. */
export const update = { name: 'updated', event: JSON.stringify(event), status: 200 };
