import express, { type ErrorRequestHandler } from 'express';
import serverless from 'serverless-http';
import { admit } from '../shared/documents/admit-in-turn.ts';
import { updateFile } from '../shared/documents/update-file.ts';
import { toFileView } from '../shared/file-view.ts';
import { filePatchSchema } from '../shared/patch-schema.ts';
import { noFile, notJson } from '../shared/refusal.ts';

// Express knows an error handler by its four parameters.
const answerError: ErrorRequestHandler = (error, _req, res, _next) => {
  if (error.type === 'entity.parse.failed') res.status(400).json({ message: notJson.message });
  else res.status(500).json({ message: 'Internal Server Error' });
};

const app = express();
app.use(express.json());

app.patch('/v1/spaces/:spaceId/files/:fileId', async (req, res) => {
  const { spaceId, fileId } = req.params;
  const parsed = filePatchSchema.safeParse(req.body);
  if (!parsed.success) {
    res.status(400).json({ message: parsed.error.issues.map(({ message }) => message).join('; ') });
    return;
  }
  const refusal = await admit({
    apiKey: req.get('x-api-key'),
    tenantId: req.get('x-tenant-id'),
    userId: req.get('x-user-id'),
    spaceId,
  });
  if (refusal) {
    res.status(refusal.status).json({ message: refusal.message });
    return;
  }
  const file = await updateFile({ spaceId, fileId, patch: parsed.data });
  if (file) res.json(toFileView(file));
  else res.status(noFile.status).json({ message: noFile.message });
});

app.use(answerError);

/** The operation as a route of Express. */
export const handler = serverless(app);
