import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { admit } from '../shared/documents/admit-at-once.ts';
import { updateFile } from '../shared/documents/update-file.ts';
import { filePatchSchemaMini } from '../shared/patch-schema-mini.ts';
import { createApi } from './api.ts';

const api = createApi(filePatchSchemaMini, { admit, updateFile });

/** Our two calls, zod/mini. */
export const handler = async (event: APIGatewayProxyEventV2, context: Context) => api.run(event, context);
