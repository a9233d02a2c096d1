import { Hono } from 'hono';
import { handle } from 'hono/aws-lambda';
import { HTTPException } from 'hono/http-exception';
import { validator } from 'hono/validator';
import { store } from './shared/documents.ts';
import { authorize, noFile, notJson, type Rejection, toFileView } from './shared/operation.ts';
import { filePatchSchema, joined } from './shared/patch-schema.ts';

/** The message of Hono's validator if the body is not JSON. */
const malformed = 'Malformed JSON in request body';
const toException = ({ status, message }: Rejection) => new HTTPException(status, { message });

const app = new Hono();

app.onError((error, c) => {
  if (!(error instanceof HTTPException)) return c.json({ message: 'Internal Server Error' }, 500);
  return c.json({ message: error.message === malformed ? notJson.message : error.message }, error.status);
});

app.patch(
  '/v1/spaces/:spaceId/files/:fileId',
  validator('json', (value, c) => {
    const parsed = filePatchSchema.safeParse(value);
    return parsed.success ? parsed.data : c.json({ message: joined(parsed.error.issues) }, 400);
  }),
  async (c) => {
    const { spaceId, fileId } = c.req.param();
    const rejection = await authorize(store, {
      apiKey: c.req.header('x-api-key'),
      tenantId: c.req.header('x-tenant-id'),
      userId: c.req.header('x-user-id'),
      spaceId,
    });
    if (rejection) throw toException(rejection);
    const file = await store.updateFile({ spaceId, fileId, patch: c.req.valid('json') });
    if (!file) throw toException(noFile);
    return c.json(toFileView(file));
  },
);

/** The operation as a route of Hono, with its validator. */
export const handler = handle(app);
