import { RequestValidationError, Router } from '@aws-lambda-powertools/event-handler/http';
import type { Context } from 'aws-lambda';
import { createPrime, createUpdate, invalidBody } from './shared/operation.ts';
import { PatchSchema } from './shared/patch.ts';
import { calls } from './shared/sdk.ts';

const app = new Router();
const updateFile = createUpdate(calls);

app.errorHandler(RequestValidationError, async () =>
  Response.json(invalidBody.body, { status: invalidBody.status }),
);

app.patch(
  '/v1/spaces/:spaceId/files/:fileId',
  async ({ req, params, valid }) => {
    const header = (name: string) => req.headers.get(name);
    const { status, body } = await updateFile({ ...params, header, patch: valid.req.body });
    return Response.json(body, { status });
  },
  { validation: { req: { body: PatchSchema } } },
);

/** The same on the HTTP event handler of Powertools. */
export const handler = async (event: unknown, context: Context) => app.resolve(event, context);
export const prime = createPrime(calls);
