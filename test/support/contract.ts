import { expect } from 'vitest';
import { fields } from '#lib/domain/file.ts';
import { editableFields } from '#lib/domain/file-patch.ts';
import type { ApiResponse } from '#lib/http/responses.ts';
import { unknownField } from './fixtures.ts';
import { responseErrors, updateRoute } from './openapi.ts';
import { errors } from './responses.ts';

/** Messages that name a field. The cases have each of them as it is. */
const readOnly = `Field "(?:${Object.keys(fields).join('|')})" is not editable`;
const value = `(?:${editableFields.join('|')}) [^;]+`;
const field = `(?:${readOnly}|${unknownField(String.raw`[\s\S]{0,128}`)}|${value})`;
const fieldMessages = new RegExp(`^(?:Duplicate field "[\\s\\S]{0,128}"|${field}(?:; ${field}){0,4})$`);

const isDocumented = (status: number, message: string) =>
  Object.values(errors).some((row) => row.status === status && row.message === message) ||
  (status === 400 && fieldMessages.test(message));

/**
 * Fails the test that got a response which openapi.yaml does not describe: another status, header or field. A message is
 * one of test/support/responses.ts, or names a field.
 * Every response to an event goes through it. Returns the response.
 *
 * @param route the operation that responded
 */
export const expectContract = (response: ApiResponse, route = updateRoute): ApiResponse => {
  const { statusCode: status, headers } = response;
  const body = JSON.parse(response.body);
  const errors = [
    ...responseErrors({ status, headers, body }, { route }),
    ...(status === 200 || isDocumented(status, body.message)
      ? []
      : [`no error has the message "${body.message}"`]),
  ];
  if (errors.length > 0) expect.unreachable(`${errors.join('; ')}: ${JSON.stringify(response)}`);
  return response;
};
