import express, { type ErrorRequestHandler } from 'express';
import serverless from 'serverless-http';
import { updateFile } from './shared/documents.ts';
import { notJson } from './shared/operation.ts';
import { filePatchSchema, rejectionOf } from './shared/patch-schema.ts';

// Express recognizes an error handler by its four parameters.
const onError: ErrorRequestHandler = (error, _req, res, _next) => {
  if (error.type === 'entity.parse.failed') res.status(notJson.status).json(notJson.body);
  else res.status(500).json({ message: 'Internal Server Error' });
};

const app = express();
app.use(express.json());

app.patch('/v1/spaces/:spaceId/files/:fileId', async (req, res) => {
  const parsed = filePatchSchema.safeParse(req.body);
  const { status, body } = parsed.success
    ? await updateFile({ ...req.params, header: (name) => req.get(name), patch: parsed.data })
    : rejectionOf(parsed.error.issues);
  res.status(status).json(body);
});

app.use(onError);

/** The operation as a route of Express. */
export const handler = serverless(app);
