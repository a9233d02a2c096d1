import { expect, test } from 'vitest';
import type { UpdateError } from '#lib/client/client.ts';
import { readBlocks, readCodes } from './support/page.ts';

test('every block of the page has its test: snippets.test.ts and copied.test.ts', () => {
  expect(readBlocks().map(({ heading, language }) => `${heading}: ${language}`)).toStrictEqual([
    'curl: sh',
    'TypeScript: ts',
    'TypeScript: sh',
    'Only if nobody else has written since: ts',
    'TypeScript with fetch alone: ts',
    'Python: python',
  ]);
});

test('the table of errors has every code, once', () => {
  const codes: Readonly<Record<UpdateError['code'], true>> = {
    'invalid-request': true,
    'invalid-api-key': true,
    'permission-denied': true,
    'space-not-found': true,
    'file-not-found': true,
    'file-changed': true,
    'outcome-unknown': true,
    'too-large': true,
    'unsupported-media-type': true,
    throttled: true,
    unavailable: true,
    'internal-error': true,
    network: true,
    aborted: true,
    'unexpected-answer': true,
    'not-sent': true,
  };
  expect(readCodes()).toStrictEqual(Object.keys(codes));
});
