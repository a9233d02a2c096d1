import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { toFileView } from './file-view.ts';
import { parseByHand } from './parse-by-hand.ts';
import { noFile, type Refusal } from './refusal.ts';
import type { Store } from './store.ts';

const respond = (statusCode: number, body: unknown): APIGatewayProxyStructuredResultV2 => ({
  statusCode,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

const refuse = ({ status, message }: Refusal) => respond(status, { message });

/** One async function on a store, without any framework. */
export const plainHandler =
  ({ admit, updateFile }: Store) =>
  async ({ headers, pathParameters, body }: APIGatewayProxyEventV2) => {
    try {
      const { spaceId = '', fileId = '' } = pathParameters ?? {};
      const parsed = parseByHand(body);
      if ('refusal' in parsed) return refuse(parsed.refusal);

      const refusal = await admit({
        apiKey: headers['x-api-key'],
        tenantId: headers['x-tenant-id'],
        userId: headers['x-user-id'],
        spaceId,
      });
      if (refusal) return refuse(refusal);

      const file = await updateFile({ spaceId, fileId, patch: parsed.patch });
      return file ? respond(200, toFileView(file)) : refuse(noFile);
    } catch {
      return respond(500, { message: 'Internal Server Error' });
    }
  };
