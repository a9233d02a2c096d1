import type { Context } from 'aws-lambda';
import { admit } from '../shared/documents/admit-in-turn.ts';
import { updateFile } from '../shared/documents/update-file.ts';
import { filePatchSchema } from '../shared/patch-schema.ts';
import { createApp } from './app.ts';

const app = createApp(filePatchSchema, { admit, updateFile });

/** Three calls in a row, `import { z }`. */
export const handler = async (event: unknown, context: Context) => app.resolve(event, context);
