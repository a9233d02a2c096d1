import serverless from 'serverless-http';
import { admit } from '../shared/documents/admit-at-once.ts';
import { updateFile } from '../shared/documents/update-file.ts';
import { filePatchSchemaMini } from '../shared/patch-schema-mini.ts';
import { createApp } from './app.ts';

/** Our two calls, zod/mini. */
export const handler = serverless(createApp(filePatchSchemaMini, { admit, updateFile }));
