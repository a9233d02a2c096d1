import serverless from 'serverless-http';
import { admit } from '../shared/documents/admit-in-turn.ts';
import { updateFile } from '../shared/documents/update-file.ts';
import { filePatchSchema } from '../shared/patch-schema.ts';
import { createApp } from './app.ts';

/** Three calls in a row, `import { z }`. */
export const handler = serverless(createApp(filePatchSchema, { admit, updateFile }));
