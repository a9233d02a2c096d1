import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { outcomes } from '#test/support/outcomes.ts';
import { aResponse } from '#test/support/service.ts';
import { messagesOf, responseOf } from './support/document.ts';
import { headerProblemsOf, problemsOf } from './support/validate.ts';

// test/events.test.ts shows that these are the answers of the running service.
describe.each(Object.entries(outcomes))('%s is as openapi.yaml says', (_, { status, body, headers }) => {
  test('its body', () => {
    const json = responseOf(status)?.content['application/json'];
    expect(problemsOf(json?.schema ?? { not: {} }, body)).toEqual([]);
  });

  test('its headers', () => {
    expect(headerProblemsOf(status, aResponse(status, body, headers).headers)).toEqual([]);
  });
});

const refusals = Object.entries(outcomes).filter(([, { status }]) => status !== 200);

test.each(refusals)('the message of %s is an example of its status', (_, { status, body }) => {
  expect(messagesOf(status).map((message) => ({ message }))).toContainEqual(body);
});

describe('what would not be as it says', () => {
  const file = z.looseObject({}).parse(outcomes['updated']?.body);
  const { schema } = responseOf(200)?.content['application/json'] ?? {};

  test.each<[string, object]>([
    ['a field too many', { version: 1 }],
    ['a field of another type', { language: null }],
    ['no original name', { originalName: undefined }],
    ['no count of chunks', { chunksCount: undefined }],
    ['no count of characters', { charactersCount: undefined }],
  ])('%s', (_, change) => {
    const changed = JSON.parse(JSON.stringify({ ...file, ...change }));
    expect(problemsOf(schema ?? {}, changed)).not.toEqual([]);
  });

  test.each<[string, number, Record<string, string>, string]>([
    ['a header is missing', 200, {}, ": must have required property 'etag'"],
    ['a header is too many', 401, { etag: '"1"' }, ': must NOT have additional properties'],
    ['a header is malformed', 503, { 'retry-after': 'soon' }, '/retry-after: must be integer'],
  ])('%s', (_, status, headers, problem) => {
    expect(headerProblemsOf(status, aResponse(status, {}, headers).headers)).toEqual([problem]);
  });
});
