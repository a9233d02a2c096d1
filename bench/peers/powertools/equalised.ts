import { Router } from '@aws-lambda-powertools/event-handler/http';
import type { Context } from 'aws-lambda';
import { carryOut } from '../shared/whole/carry-out.ts';

const app = new Router();

app.patch('/v1/spaces/:spaceId/files/:fileId', async ({ req, params, context }) => {
  const { spaceId = '', fileId = '' } = params;
  const sent = { spaceId, fileId, headers: new Map(req.headers), body: await req.text() };
  const { statusCode, headers, body } = await carryOut(sent, context);
  return new Response(body, { status: statusCode, headers });
});

/** Our operation as a route of Powertools' HTTP event handler. */
export const handler = async (event: unknown, context: Context) => app.resolve(event, context);
