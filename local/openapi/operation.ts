import { acceptedMediaTypes } from '#lib/http/read-file-patch.ts';
import { patchExamples } from './examples.ts';
import { componentParameters } from './parameters.ts';
import { responses } from './responses.ts';
import { schemaRef } from './schemas.ts';
import { bodyDescription, operationDescription } from './words/operation.ts';

const content = { schema: schemaRef('FilePatch'), examples: patchExamples };

/** The one operation. */
export const operation = () => ({
  operationId: 'updateFile',
  tags: ['files'],
  summary: 'Update a file',
  description: operationDescription,
  security: [{ ApiKey: [] }],
  parameters: Object.keys(componentParameters).map((name) => ({ $ref: `#/components/parameters/${name}` })),
  requestBody: {
    description: bodyDescription,
    required: true,
    content: Object.fromEntries(acceptedMediaTypes.map((mediaType) => [mediaType, content])),
  },
  responses: responses(),
});
