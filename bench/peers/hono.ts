import { Hono } from 'hono';
import { handle } from 'hono/aws-lambda';
import { HTTPException } from 'hono/http-exception';
import { validator } from 'hono/validator';
import { updateFile } from './shared/documents.ts';
import { notJson } from './shared/operation.ts';
import { filePatchSchema, rejectionOf } from './shared/patch-schema.ts';

const app = new Hono();

app.onError((error, c) =>
  // The validator throws it if the body is not JSON.
  error instanceof HTTPException
    ? c.json(notJson.body, notJson.status)
    : c.json({ message: 'Internal Server Error' }, 500),
);

app.patch(
  '/v1/spaces/:spaceId/files/:fileId',
  validator('json', (value, c) => {
    const parsed = filePatchSchema.safeParse(value);
    if (parsed.success) return parsed.data;
    const { status, body } = rejectionOf(parsed.error.issues);
    return c.json(body, status);
  }),
  async (c) => {
    const header = (name: string) => c.req.header(name);
    const { status, body } = await updateFile({ ...c.req.param(), header, patch: c.req.valid('json') });
    return c.json(body, status);
  },
);

/** The operation as a route of Hono, with its validator. */
export const handler = handle(app);
