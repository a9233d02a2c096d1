import {
  BadRequestError,
  ForbiddenError,
  NotFoundError,
  RequestValidationError,
  Router,
  UnauthorizedError,
} from '@aws-lambda-powertools/event-handler/http';
import type { StandardSchemaV1 } from '@standard-schema/spec';
import { toFileView } from '../shared/file-view.ts';
import type { FilePatch } from '../shared/records.ts';
import { noFile, notJson, type Refusal } from '../shared/refusal.ts';
import type { Store } from '../shared/store.ts';

const errors = { 400: BadRequestError, 401: UnauthorizedError, 403: ForbiddenError, 404: NotFoundError };

const refuse = ({ status, message }: Refusal): never => {
  throw new errors[status](message);
};

/** The messages of a validation error; it has none when the body is not JSON. */
const messageOf = ({ details }: RequestValidationError): string => {
  const issues = (details?.['issues'] ?? []) as readonly StandardSchemaV1.Issue[];
  return issues.map(({ message }) => message).join('; ') || notJson.message;
};

/** The operation as a route of Powertools' HTTP event handler. */
export const createApp = (
  body: StandardSchemaV1<unknown, FilePatch>,
  { admit, updateFile }: Store,
): Router => {
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
    { validation: { req: { body } } },
  );
  return app;
};
