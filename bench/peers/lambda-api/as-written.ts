import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import createAPI, { type ErrorHandlingMiddleware, type Request, type Response } from 'lambda-api';
import { admit } from '../shared/documents/admit-in-turn.ts';
import { updateFile } from '../shared/documents/update-file.ts';
import { toFileView } from '../shared/file-view.ts';
import { filePatchSchema } from '../shared/patch-schema.ts';
import { noFile, notJson } from '../shared/refusal.ts';

// Its own error answer is {"error": message}; it knows an error handler by its four parameters.
const answerError: ErrorHandlingMiddleware = (_error, _req, res, _next) => {
  res.status(500).json({ message: 'Internal Server Error' });
};

const api = createAPI();

api.patch('/v1/spaces/:spaceId/files/:fileId', async (req: Request, res: Response) => {
  const { spaceId = '', fileId = '' } = req.params;
  // It hands on as text whatever JSON.parse does not take.
  if (typeof req.body === 'string') return res.status(400).json({ message: notJson.message });
  const parsed = filePatchSchema.safeParse(req.body);
  if (!parsed.success)
    return res.status(400).json({ message: parsed.error.issues.map(({ message }) => message).join('; ') });

  const refusal = await admit({
    apiKey: req.headers['x-api-key'],
    tenantId: req.headers['x-tenant-id'],
    userId: req.headers['x-user-id'],
    spaceId,
  });
  if (refusal) return res.status(refusal.status).json({ message: refusal.message });
  const file = await updateFile({ spaceId, fileId, patch: parsed.data });
  return file ? toFileView(file) : res.status(noFile.status).json({ message: noFile.message });
});

api.use(answerError);

/** The operation as a route of Lambda API. */
export const handler = async (event: APIGatewayProxyEventV2, context: Context) => api.run(event, context);
