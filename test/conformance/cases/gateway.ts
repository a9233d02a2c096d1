import type { Case, Group } from '../case.ts';
import { refusedByGateway } from './answers.ts';

const usual = '/v1/spaces/{spaces.public}/files/{files.detailed.id}';
const otherPaths = {
  'The path without its version': '/spaces/{spaces.public}/files/{files.detailed.id}',
  'The path of another version': '/v2/spaces/{spaces.public}/files/{files.detailed.id}',
  'The path of the space': '/v1/spaces/{spaces.public}',
  'The path of all files': '/v1/spaces/{spaces.public}/files',
  'A path that goes on': `${usual}/tags`,
  'A path with its words in other letter case': '/v1/Spaces/{spaces.public}/Files/{files.detailed.id}',
  'A path without a space': '/v1/spaces//files/{files.detailed.id}',
  'A path whose percent encoding is broken': '/v1/spaces/%zz/files/{files.detailed.id}',
};

/** Only PATCH, and only at its path, changes a file. How the rest is refused is the gateway's own affair. */
export const gateway: Group = {
  title: 'Other methods and paths',
  cases: [
    ...['GET', 'POST', 'PUT', 'DELETE'].map(
      (method): Case => ({
        name: `${method} changes nothing`,
        send: { method },
        expect: refusedByGateway,
      }),
    ),
    {
      name: 'POST that asks to be taken for PATCH changes nothing',
      send: { method: 'POST', headers: { 'x-http-method-override': 'PATCH' } },
      expect: refusedByGateway,
    },
    ...Object.entries(otherPaths).map(
      ([what, path]): Case => ({
        name: `${what} leads nowhere`,
        send: { path },
        expect: refusedByGateway,
      }),
    ),
  ],
};
