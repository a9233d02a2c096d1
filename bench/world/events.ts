import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import updated from '../../events/updated.json' with { type: 'json' };
import { editorKey } from './records.ts';

type Parts = {
  readonly apiKey?: string;
  readonly tenantId?: string;
  readonly spaceId?: string;
  readonly fileId?: string;
  readonly body?: string;
};

/** About 200 characters. */
export const newSummary =
  'What to do in the first week: whom to meet, which accounts to ask for, where the tools are, how a day goes, ' +
  'and what can wait until the second week. Approved by the people team; comes with a list.';

const goodBody = JSON.stringify({ summary: newSummary, documentKind: 'checklist' });

const eventOf = ({
  apiKey = editorKey,
  tenantId = 'acme',
  spaceId = 'handbook',
  fileId = '3f2b8c1e-6a4d-4c57-9e0f-1b7a2d9c5e80',
  body = goodBody,
}: Parts): APIGatewayProxyEventV2 => {
  const path = `/v1/spaces/${spaceId}/files/${fileId}`;
  return {
    ...updated,
    rawPath: path,
    headers: {
      ...updated.headers,
      'content-length': String(Buffer.byteLength(body)),
      'x-api-key': apiKey,
      'x-tenant-id': tenantId,
    },
    requestContext: { ...updated.requestContext, http: { ...updated.requestContext.http, path } },
    pathParameters: { spaceId, fileId },
    body,
  };
};

/** The events of HTTP API: the good path, which is measured, one that comes after a newer write, and one for each refusal. */
export const requests = {
  good: eventOf({}),
  cleared: eventOf({ body: '{"summary":null,"documentKind":null}' }),
  oneField: eventOf({ body: '{"summary":"short"}' }),
  behind: eventOf({ fileId: 'from-the-future' }),
  unknownKey: eventOf({ apiKey: 'no-such-key' }),
  revokedKey: eventOf({ apiKey: 'bench-revoked-key' }),
  otherTenant: eventOf({ tenantId: 'globex' }),
  otherScope: eventOf({ apiKey: 'bench-internal-key' }),
  viewer: eventOf({ apiKey: 'bench-viewer-key' }),
  wrongType: eventOf({ body: '{"summary":5}' }),
  unknownField: eventOf({ body: '{"colour":"red"}' }),
  readOnlyField: eventOf({ body: '{"language":"de"}' }),
  emptyPatch: eventOf({ body: '{}' }),
  notJson: eventOf({ body: '{"summary":' }),
  unknownSpace: eventOf({ spaceId: 'no-such-space' }),
  privateSpace: eventOf({ spaceId: 'ada-drafts' }),
  unknownFile: eventOf({ fileId: 'no-such-file' }),
} as const;
