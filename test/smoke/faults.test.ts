import { expect, test } from 'vitest';
import { runningProject } from '#test/support/processes.ts';
import type { Alteration } from '../conformance/support/altering-proxy.ts';
import { smokeAltered } from './support/run-smoke.ts';

const project = runningProject();

/** As a gateway that passes on the last of several headers, or decodes a path twice. */
const lastHeaderWins: Alteration = {
  request: (given) => {
    const last = new Map<string, string>();
    for (let at = 0; at < given.headers.length; at += 2)
      last.set((given.headers[at] ?? '').toLowerCase(), given.headers[at + 1] ?? '');
    return { ...given, headers: [...last].flat() };
  },
};
const decodesTwice: Alteration = {
  request: (given) => ({ ...given, path: given.path.replaceAll('%25', '%') }),
};
const cutsIds: Alteration = {
  request: (given) => ({ ...given, path: given.path.replace('%3F', '?') }),
};
const ownNotFound: Alteration = {
  answer: (answer) => ({ ...answer, text: answer.text.replace('Not Found', 'No such route') }),
};
const named = (theirs: (ours: string | undefined) => string): Alteration => ({
  answer: ({ headers, ...rest }) => ({
    ...rest,
    headers: { ...headers, 'apigw-requestid': theirs(headers['x-request-id']) },
  }),
});
const requestIdCheck = 'x-request-id comes from the function, beside the apigw-requestid of API Gateway';

test.each([
  [
    'only the last of several headers reaches the function',
    lastHeaderWins,
    [
      'x-user-id sent twice is refused',
      'x-user-id sent under two spellings of its name is refused',
      'x-tenant-id sent twice is refused',
      'A valid API key sent twice is refused',
    ],
  ],
  [
    'another body for what has no route',
    ownNotFound,
    [
      'API Gateway itself refuses another method',
      'API Gateway itself refuses another path',
      'API Gateway itself refuses the path in other letter case',
    ],
  ],
  ['a path that is decoded twice', decodesTwice, ['A path is not decoded twice']],
  ['the request id of the gateway in the place of ours', named((ours) => ours ?? ''), [requestIdCheck]],
  ['an id that is cut at an encoded question mark, and may be,', cutsIds, []],
  ['nothing', named(() => 'Xyz='), []],
] satisfies [string, Alteration, string[]][])('%s is found', async (_, alteration, failing) => {
  const found = await smokeAltered(project.url, alteration);
  expect({ code: found.code, failing: found.failing }).toStrictEqual({
    code: failing.length > 0 ? 1 : 0,
    failing,
  });
});
