import { routeKey } from '#tools/dev-server/http-event.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { example } from './examples.ts';
import { limits } from './limits.ts';
import { operation } from './operation.ts';
import { componentParameters } from './parameters.ts';
import { componentHeaders } from './response-headers.ts';
import { componentSchemas } from './schemas.ts';
import { documentDescription } from './words/document.ts';

const [, path = ''] = routeKey.split(' ');

const servers = [
  { url: 'http://localhost:3000', description: 'This machine, after `npm start`.' },
  {
    url: 'https://{apiId}.execute-api.{region}.amazonaws.com',
    description: 'A deployment on API Gateway: `npx serverless deploy` prints its address.',
    variables: {
      apiId: { default: 'a1b2c3d4e5', description: 'The id that API Gateway gave to the deployment.' },
      region: { default: 'us-east-1', description: 'The AWS region of the deployment.' },
    },
  },
];

const apiKey = {
  type: 'apiKey',
  in: 'header',
  name: 'x-api-key',
  description:
    `The API key: up to ${limits.apiKey} characters of printable ASCII without a comma, bound to one tenant. ` +
    `\`npm start\` begins with \`${example.apiKey}\`.`,
};

/** The interface as an OpenAPI document: all of it comes from the code and from the words in this folder. */
export const openApiDocument = () => ({
  openapi: '3.1.1',
  info: {
    title: packageJson.name,
    version: packageJson.version,
    summary: 'Changes the summary and the document kind of a file in a space.',
    description: documentDescription,
    license: { name: packageJson.license, identifier: packageJson.license },
  },
  servers,
  tags: [{ name: 'files', description: 'What is known about the files in a space.' }],
  paths: { [path]: { patch: operation() } },
  components: {
    securitySchemes: { ApiKey: apiKey },
    parameters: componentParameters,
    headers: componentHeaders,
    schemas: componentSchemas(),
  },
});
