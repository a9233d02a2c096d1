import type { Group } from '../case.ts';
import { updatedAsUsual } from './answers.ts';

/** What a request may hold that the contract says nothing of. */
export const ignored: Group = {
  title: 'What is ignored',
  cases: [
    {
      name: 'Query parameters are ignored',
      send: { query: '?summary=Other&tenantId=other&x-user-id=other&a=1&a=2' },
      expect: updatedAsUsual,
    },
    { name: 'A lone question mark is ignored', send: { query: '?' }, expect: updatedAsUsual },
    {
      name: 'Unknown headers are ignored',
      send: {
        headers: {
          'x-summary': 'Other',
          'idempotency-key': '1',
          prefer: 'return=minimal',
          cookie: 'a=1; b=2',
        },
      },
      expect: updatedAsUsual,
    },
    {
      name: 'Accept is ignored',
      send: { headers: { accept: 'text/html', 'accept-encoding': 'identity', 'accept-language': 'tlh' } },
      expect: updatedAsUsual,
    },
    {
      name: 'A method in a header is ignored',
      send: { headers: { 'x-http-method-override': 'DELETE', 'x-http-method': 'GET' } },
      expect: updatedAsUsual,
    },
    {
      name: 'An id in a header does not take the place of the one in the path',
      send: {
        headers: { 'x-space-id': 'other', 'x-file-id': 'other', 'x-original-url': '/', 'x-rewrite-url': '/' },
      },
      expect: updatedAsUsual,
    },
  ],
};
