import { passed, skipped } from '../../conformance/runner/result.ts';
import { writesNothing } from '../target.ts';
import { type Check, unexpected } from './check.ts';

/** API Gateway names each request in a header of its own, and leaves ours alone. */
export const requestId: Check = {
  name: 'x-request-id comes from the function, beside the apigw-requestid of API Gateway',
  run: async (target, first) => {
    const { 'apigw-requestid': theirs, 'x-request-id': ours } = first.headers;
    if (theirs === undefined && !target.baseUrl.hostname.endsWith('.amazonaws.com'))
      return { outcome: skipped('no apigw-requestid: there is no API Gateway') };
    if (theirs && ours && theirs !== ours) return { outcome: passed };
    const answer = { ...first, text: `x-request-id ${ours}, apigw-requestid ${theirs}` };
    return unexpected(target, { sent: { headers: writesNothing }, expected: 'two different ids', answer });
  },
};
