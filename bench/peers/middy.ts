/**
 * What a user would write: middy with the middlewares of its documentation, and the SDK with its default settings. Two
 * reads, one after the other, and a conditional write.
 */
import { ConditionalCheckFailedException, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import middy from '@middy/core';
import httpErrorHandler from '@middy/http-error-handler';
import httpHeaderNormalizer from '@middy/http-header-normalizer';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import { createError } from '@middy/util';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { z } from 'zod';
import { createUpdate, invalidBody } from './shared/operation.ts';

const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));

const updateFile = createUpdate({
  readAccess: async (reads) => {
    const { Item: apiKey } = await client.send(new GetCommand(reads.apiKey));
    const { Item: space } = await client.send(new GetCommand(reads.space));
    return { apiKey, space };
  },
  update: async (input) => {
    try {
      const { Attributes } = await client.send(new UpdateCommand(input));
      return Attributes;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return undefined;
      throw error;
    }
  },
});

const PatchSchema = z
  .strictObject({
    summary: z.string().max(10_000).nullable().optional(),
    documentKind: z.string().max(256).nullable().optional(),
  })
  .refine((patch) => Object.keys(patch).length > 0);

const badRequest = () => createError(invalidBody.status, JSON.stringify(invalidBody.body));

const respond = async ({ headers, pathParameters, body: json }: APIGatewayProxyEventV2) => {
  const { success, data: patch } = PatchSchema.safeParse(json);
  if (!success) throw badRequest();
  const { status, body } = await updateFile({ ...pathParameters, header: (name) => headers[name], patch });
  if (status !== 200) throw createError(status, JSON.stringify(body));
  return {
    statusCode: status,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
};

/** middy runs the middlewares for errors from the last one to the first. */
export const handler = middy<APIGatewayProxyEventV2>()
  .use(httpHeaderNormalizer())
  .use(httpErrorHandler())
  .use(httpJsonBodyParser())
  .onError((request) => {
    // The parser gives 422 for a body that is not JSON.
    if (Object(request.error).statusCode === 422) request.error = badRequest();
  })
  .handler(respond);
