import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import createAPI, { type ErrorHandlingMiddleware, type Request, type Response } from 'lambda-api';
import { store } from './shared/documents.ts';
import { authorize, noFile, notJson, toFileView } from './shared/operation.ts';
import { filePatchSchema, joined } from './shared/patch-schema.ts';

// Its own error response is {"error": message}. It recognizes an error handler by its four parameters.
const onError: ErrorHandlingMiddleware = (_error, _req, res, _next) => {
  res.status(500).json({ message: 'Internal Server Error' });
};

const api = createAPI();

api.patch('/v1/spaces/:spaceId/files/:fileId', async (req: Request, res: Response) => {
  const { spaceId = '', fileId = '' } = req.params;
  // It passes a body that is not JSON as a string.
  if (typeof req.body === 'string') return res.status(400).json({ message: notJson.message });
  const parsed = filePatchSchema.safeParse(req.body);
  if (!parsed.success) return res.status(400).json({ message: joined(parsed.error.issues) });

  const rejection = await authorize(store, {
    apiKey: req.headers['x-api-key'],
    tenantId: req.headers['x-tenant-id'],
    userId: req.headers['x-user-id'],
    spaceId,
  });
  if (rejection) return res.status(rejection.status).json({ message: rejection.message });
  const file = await store.updateFile({ spaceId, fileId, patch: parsed.data });
  return file ? toFileView(file) : res.status(noFile.status).json({ message: noFile.message });
});

api.use(onError);

/** The operation as a route of Lambda API. */
export const handler = async (event: APIGatewayProxyEventV2, context: Context) => api.run(event, context);
