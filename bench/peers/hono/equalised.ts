import { Hono } from 'hono';
import { handle, type LambdaContext } from 'hono/aws-lambda';
import { carryOut } from '../shared/whole/carry-out.ts';

const app = new Hono<{ Bindings: { lambdaContext: LambdaContext } }>();

app.patch('/v1/spaces/:spaceId/files/:fileId', async (c) => {
  const sent = { ...c.req.param(), headers: new Map(c.req.raw.headers), body: await c.req.text() };
  const { statusCode, headers, body } = await carryOut(sent, c.env.lambdaContext);
  return new Response(body, { status: statusCode, headers });
});

/** Our operation as a route of Hono. */
export const handler = handle(app);
