import { RequestValidationError, Router } from '@aws-lambda-powertools/event-handler/http';
import type { Context } from 'aws-lambda';
import { updateFile } from './shared/documents.ts';
import { notJson } from './shared/operation.ts';
import { filePatchSchema, rejectionOf } from './shared/patch-schema.ts';

const app = new Router();

app.errorHandler(RequestValidationError, async ({ details }) => {
  // There are no issues if the body is not JSON.
  const issues = (details?.['issues'] ?? []) as readonly { readonly message: string }[];
  const { status, body } = issues.length > 0 ? rejectionOf(issues) : notJson;
  return Response.json(body, { status });
});

app.patch(
  '/v1/spaces/:spaceId/files/:fileId',
  async ({ req, params: { spaceId = '', fileId = '' }, valid }) => {
    const header = (name: string) => req.headers.get(name);
    const { status, body } = await updateFile({ header, spaceId, fileId, patch: valid.req.body });
    return Response.json(body, { status });
  },
  { validation: { req: { body: filePatchSchema } } },
);

/** The operation as a route of the HTTP event handler of Powertools. */
export const handler = async (event: unknown, context: Context) => app.resolve(event, context);
