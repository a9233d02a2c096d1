import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import createAPI, { type ErrorHandlingMiddleware, type Request, type Response } from 'lambda-api';
import { updateFile } from './shared/documents.ts';
import { notJson } from './shared/operation.ts';
import { filePatchSchema, rejectionOf } from './shared/patch-schema.ts';

// Its own error response is {"error": message}. It recognizes an error handler by its four parameters.
const onError: ErrorHandlingMiddleware = (_error, _req, res, _next) => {
  res.status(500).json({ message: 'Internal Server Error' });
};

const api = createAPI();

api.patch('/v1/spaces/:spaceId/files/:fileId', async (req: Request, res: Response) => {
  const { spaceId = '', fileId = '' } = req.params;
  // It passes a body that is not JSON as a string.
  if (typeof req.body === 'string') return res.status(notJson.status).json(notJson.body);
  const parsed = filePatchSchema.safeParse(req.body);
  const { status, body } = parsed.success
    ? await updateFile({ header: (name) => req.headers[name], spaceId, fileId, patch: parsed.data })
    : rejectionOf(parsed.error.issues);
  return res.status(status).json(body);
});

api.use(onError);

/** The operation as a route of Lambda API. */
export const handler = async (event: APIGatewayProxyEventV2, context: Context) => api.run(event, context);
