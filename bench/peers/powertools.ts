import {
  BadRequestError,
  ForbiddenError,
  NotFoundError,
  RequestValidationError,
  Router,
  UnauthorizedError,
} from '@aws-lambda-powertools/event-handler/http';
import type { Context } from 'aws-lambda';
import { store } from './shared/documents.ts';
import { authorize, noFile, notJson, type Rejection, toFileView } from './shared/operation.ts';
import { filePatchSchema, joined } from './shared/patch-schema.ts';

const errors = { 400: BadRequestError, 401: UnauthorizedError, 403: ForbiddenError, 404: NotFoundError };
const reject = ({ status, message }: Rejection): never => {
  throw new errors[status](message);
};

const app = new Router();

app.errorHandler(RequestValidationError, async ({ details }) => {
  // There are no issues if the body is not JSON.
  const issues = (details?.['issues'] ?? []) as readonly { readonly message: string }[];
  return Response.json({ message: joined(issues) || notJson.message }, { status: 400 });
});
app.errorHandler<BadRequestError | UnauthorizedError | ForbiddenError | NotFoundError>(
  Object.values(errors),
  async ({ message, statusCode }) => Response.json({ message }, { status: statusCode }),
);

app.patch(
  '/v1/spaces/:spaceId/files/:fileId',
  async ({ req, params: { spaceId = '', fileId = '' }, valid }) => {
    const rejection = await authorize(store, {
      apiKey: req.headers.get('x-api-key'),
      tenantId: req.headers.get('x-tenant-id'),
      userId: req.headers.get('x-user-id'),
      spaceId,
    });
    if (rejection) reject(rejection);
    const file = await store.updateFile({ spaceId, fileId, patch: valid.req.body });
    return file ? toFileView(file) : reject(noFile);
  },
  { validation: { req: { body: filePatchSchema } } },
);

/** The operation as a route of the HTTP event handler of Powertools. */
export const handler = async (event: unknown, context: Context) => app.resolve(event, context);
