import type { Sent } from '../../conformance/case.ts';
import { refused } from '../../conformance/cases/answers.ts';
import { passed } from '../../conformance/runner/result.ts';
import { isAnswer } from '../is-answer.ts';
import { ask, writesNothing } from '../target.ts';
import { type Check, unexpected } from './check.ts';

const notFound = refused(404, 'Not Found');

const refusedByGateway = (name: string, sent: Sent): Check => ({
  name,
  run: async (target) => {
    const answer = await ask(target, sent);
    if (isAnswer(answer, notFound)) return { outcome: passed };
    return unexpected(target, { sent, expected: '404; {"message":"Not Found"}', answer });
  },
});

const headers = writesNothing;

/** What has no route is API Gateway's own to refuse. */
export const notFoundChecks: readonly Check[] = [
  refusedByGateway('API Gateway itself refuses another method', { method: 'GET', body: null, headers }),
  refusedByGateway('API Gateway itself refuses another path', {
    path: '/v2/spaces/{spaces.private}/files/{files.private.id}',
    headers,
  }),
  refusedByGateway('API Gateway itself refuses the path in other letter case', {
    path: '/v1/Spaces/{spaces.private}/files/{files.private.id}',
    headers,
  }),
];
