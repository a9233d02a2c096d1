import { Hono } from 'hono';
import { handle } from 'hono/aws-lambda';
import { HTTPException } from 'hono/http-exception';
import { validator } from 'hono/validator';
import { admit } from '../shared/documents/admit-in-turn.ts';
import { updateFile } from '../shared/documents/update-file.ts';
import { toFileView } from '../shared/file-view.ts';
import { filePatchSchema } from '../shared/patch-schema.ts';
import { noFile, notJson, type Refusal } from '../shared/refusal.ts';

/** What Hono's validator itself says of a body that is not JSON. */
const MALFORMED = 'Malformed JSON in request body';

const refusalError = ({ status, message }: Refusal) => new HTTPException(status, { message });

const app = new Hono();

app.onError((error, c) => {
  if (!(error instanceof HTTPException)) return c.json({ message: 'Internal Server Error' }, 500);
  return c.json({ message: error.message === MALFORMED ? notJson.message : error.message }, error.status);
});

app.patch(
  '/v1/spaces/:spaceId/files/:fileId',
  validator('json', (value, c) => {
    const parsed = filePatchSchema.safeParse(value);
    if (parsed.success) return parsed.data;
    return c.json({ message: parsed.error.issues.map(({ message }) => message).join('; ') }, 400);
  }),
  async (c) => {
    const { spaceId, fileId } = c.req.param();
    const refusal = await admit({
      apiKey: c.req.header('x-api-key'),
      tenantId: c.req.header('x-tenant-id'),
      userId: c.req.header('x-user-id'),
      spaceId,
    });
    if (refusal) throw refusalError(refusal);
    const file = await updateFile({ spaceId, fileId, patch: c.req.valid('json') });
    if (!file) throw refusalError(noFile);
    return c.json(toFileView(file));
  },
);

/** The operation as a route of Hono, with its validator. */
export const handler = handle(app);
