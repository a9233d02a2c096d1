import express, { type ErrorRequestHandler } from 'express';
import serverless from 'serverless-http';
import { store } from './shared/documents.ts';
import { authorize, noFile, notJson, toFileView } from './shared/operation.ts';
import { filePatchSchema, joined } from './shared/patch-schema.ts';

// Express recognizes an error handler by its four parameters.
const onError: ErrorRequestHandler = (error, _req, res, _next) => {
  const isMalformed = error.type === 'entity.parse.failed';
  res
    .status(isMalformed ? 400 : 500)
    .json({ message: isMalformed ? notJson.message : 'Internal Server Error' });
};

const app = express();
app.use(express.json());

app.patch('/v1/spaces/:spaceId/files/:fileId', async (req, res) => {
  const { spaceId, fileId } = req.params;
  const parsed = filePatchSchema.safeParse(req.body);
  if (!parsed.success) {
    res.status(400).json({ message: joined(parsed.error.issues) });
    return;
  }
  const rejection = await authorize(store, {
    apiKey: req.get('x-api-key'),
    tenantId: req.get('x-tenant-id'),
    userId: req.get('x-user-id'),
    spaceId,
  });
  if (rejection) {
    res.status(rejection.status).json({ message: rejection.message });
    return;
  }
  const file = await store.updateFile({ spaceId, fileId, patch: parsed.data });
  if (file) res.json(toFileView(file));
  else res.status(noFile.status).json({ message: noFile.message });
});

app.use(onError);

/** The operation as a route of Express. */
export const handler = serverless(app);
