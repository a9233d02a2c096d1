import express from 'express';
import serverless from 'serverless-http';
import { carryOut } from '../shared/whole/carry-out.ts';

const app = express();
app.use(express.text({ type: () => true }));

app.patch('/v1/spaces/:spaceId/files/:fileId', async (req, res) => {
  const fields = Object.entries(req.headers).map(([name, value]) => [name, String(value)] as const);
  const sent = { ...req.params, headers: new Map(fields), body: String(req.body) };
  const { statusCode, headers, body } = await carryOut(sent, {});
  res.status(statusCode).set(headers).send(body);
});

/** Our operation as a route of Express. */
export const handler = serverless(app);
