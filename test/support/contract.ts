import { expect } from 'vitest';
import { exampleMessages, responseErrors } from './openapi.ts';

type Response = {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly body: string;
};

/** Messages that name a field, written from docs/contract.md. openapi.yaml has one example of each. */
const field = String.raw`(?:Field "(?:id|originalName|language|domain|chunksCount|charactersCount|tags)" is not editable|Unknown field "[\s\S]{0,128}"; editable fields are summary, documentKind|(?:summary|documentKind) must be a string or null|summary must be at most 10000 characters|documentKind must be at most 256 characters|(?:summary|documentKind) contains invalid Unicode)`;
const fieldMessages = new RegExp(`^(?:Duplicate field "[\\s\\S]{0,128}"|${field}(?:; ${field}){0,4})$`);

const isDocumented = (status: number, message: string) =>
  exampleMessages(status).includes(message) || (status === 400 && fieldMessages.test(message));

/**
 * Fails the test that got a response which openapi.yaml does not describe: another status, header, field or message.
 * Every response of the route tests goes through it. Returns the response.
 */
export const expectContract = <Given extends Response>(response: Given): Given => {
  const { statusCode: status, headers } = response;
  const body = JSON.parse(response.body);
  const errors = [
    ...responseErrors({ status, headers, body }),
    ...(status === 200 || isDocumented(status, body.message) ? [] : [`"${body.message}" is not documented`]),
  ];
  if (errors.length > 0) expect.unreachable(`${errors.join('; ')}: ${JSON.stringify(response)}`);
  return response;
};
