import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { type Calls, createUpdate, invalidBody, type Reply, reject } from './operation.ts';
import { PatchSchema } from './patch.ts';

/** One async function, without a framework. */
export const createHandler = (calls: Calls) => {
  const updateFile = createUpdate(calls);
  const respond = async ({ headers, pathParameters, body = '' }: APIGatewayProxyEventV2): Promise<Reply> => {
    let json: unknown;
    try {
      json = JSON.parse(body);
    } catch {
      return invalidBody;
    }
    const { success, data: patch } = PatchSchema.safeParse(json);
    if (!success) return invalidBody;
    return updateFile({ ...pathParameters, header: (name) => headers[name], patch });
  };
  return async (event: APIGatewayProxyEventV2) => {
    const { status, body } = await respond(event).catch(() => reject(500, 'Internal Server Error'));
    return {
      statusCode: status,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    };
  };
};
