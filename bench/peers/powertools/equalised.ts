import type { Context } from 'aws-lambda';
import { admit } from '../shared/documents/admit-at-once.ts';
import { updateFile } from '../shared/documents/update-file.ts';
import { filePatchSchemaMini } from '../shared/patch-schema-mini.ts';
import { createApp } from './app.ts';

const app = createApp(filePatchSchemaMini, { admit, updateFile });

/** Our two calls, zod/mini. */
export const handler = async (event: unknown, context: Context) => app.resolve(event, context);
