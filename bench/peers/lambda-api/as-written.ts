import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { admit } from '../shared/documents/admit-in-turn.ts';
import { updateFile } from '../shared/documents/update-file.ts';
import { filePatchSchema } from '../shared/patch-schema.ts';
import { createApi } from './api.ts';

const api = createApi(filePatchSchema, { admit, updateFile });

/** Three calls in a row, `import { z }`. */
export const handler = async (event: APIGatewayProxyEventV2, context: Context) => api.run(event, context);
