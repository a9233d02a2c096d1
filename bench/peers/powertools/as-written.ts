import {
  BadRequestError,
  ForbiddenError,
  NotFoundError,
  RequestValidationError,
  Router,
  UnauthorizedError,
} from '@aws-lambda-powertools/event-handler/http';
import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { Context } from 'aws-lambda';
import { admit } from '../shared/documents/admit-in-turn.ts';
import { updateFile } from '../shared/documents/update-file.ts';
import { toFileView } from '../shared/file-view.ts';
import { filePatchSchema } from '../shared/patch-schema.ts';
import { noFile, notJson, type Refusal } from '../shared/refusal.ts';

const errors = { 400: BadRequestError, 401: UnauthorizedError, 403: ForbiddenError, 404: NotFoundError };

const refuse = ({ status, message }: Refusal): never => {
  throw new errors[status](message);
};

/** The messages of a validation error; it has none when the body is not JSON. */
const messageOf = ({ details }: RequestValidationError): string => {
  const issues = (details?.['issues'] ?? []) as readonly StandardSchemaV1.Issue[];
  return issues.map(({ message }) => message).join('; ') || notJson.message;
};

const app = new Router();

app.errorHandler(RequestValidationError, async (error) =>
  Response.json({ message: messageOf(error) }, { status: 400 }),
);
app.errorHandler<BadRequestError | UnauthorizedError | ForbiddenError | NotFoundError>(
  Object.values(errors),
  async ({ message, statusCode }) => Response.json({ message }, { status: statusCode }),
);

app.patch(
  '/v1/spaces/:spaceId/files/:fileId',
  async ({ req, params: { spaceId = '', fileId = '' }, valid }) => {
    const refusal = await admit({
      apiKey: req.headers.get('x-api-key') ?? undefined,
      tenantId: req.headers.get('x-tenant-id') ?? undefined,
      userId: req.headers.get('x-user-id') ?? undefined,
      spaceId,
    });
    if (refusal) refuse(refusal);
    const file = await updateFile({ spaceId, fileId, patch: valid.req.body });
    return file ? toFileView(file) : refuse(noFile);
  },
  { validation: { req: { body: filePatchSchema } } },
);

/** The operation as a route of Powertools' HTTP event handler. */
export const handler = async (event: unknown, context: Context) => app.resolve(event, context);
