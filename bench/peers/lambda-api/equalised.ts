import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import createAPI, { type Request, type Response } from 'lambda-api';
import { carryOut } from '../shared/whole/carry-out.ts';

const api = createAPI();

api.patch('/v1/spaces/:spaceId/files/:fileId', async (req: Request, res: Response) => {
  const { spaceId = '', fileId = '' } = req.params;
  const fields = Object.entries(req.headers).map(([name, value]) => [name, String(value)] as const);
  const sent = { spaceId, fileId, headers: new Map(fields), body: req.rawBody };
  const { statusCode, headers, body } = await carryOut(sent, req.context);
  for (const [name, value] of Object.entries(headers)) res.header(name, value);
  res.status(statusCode).send(body);
});

/** Our operation as a route of Lambda API. */
export const handler = async (event: APIGatewayProxyEventV2, context: Context) => api.run(event, context);
