import { expect } from 'vitest';
import { FileViewSchema } from '#lib/domain/file.ts';
import { editableFields } from '#lib/domain/file-patch.ts';
import type { ApiResponse } from '#lib/http/responses.ts';
import { unknownField } from './fixtures.ts';
import { exampleMessages, responseErrors, updateRoute } from './openapi.ts';
import { errors } from './responses.ts';

/** Messages that name a field. The cases have each of them as it is. */
const readOnly = `Field "(?:${Object.keys(FileViewSchema.shape).join('|')})" is not editable`;
const escapeRegExp = (text: string) => text.replaceAll(/[^\w\s]/g, String.raw`\$&`);
/** What the examples of openapi.yaml say of a value, with any number as a limit. */
const forms = exampleMessages.flatMap((message) =>
  message.split('; ').flatMap((problem) => {
    const name = editableFields.find((one) => problem.startsWith(`${one} `));
    return name === undefined
      ? []
      : [escapeRegExp(problem.slice(name.length + 1)).replaceAll(/\d+/g, String.raw`\d+`)];
  }),
);
const value = `(?:${editableFields.join('|')}) (?:${forms.join('|')})`;
const field = `(?:${readOnly}|${unknownField(String.raw`[\s\S]{0,128}`)}|${value})`;
const fieldMessages = new RegExp(`^(?:Duplicate field "[\\s\\S]{0,128}"|${field}(?:; ${field}){0,4})$`);

const isDocumented = (status: number, message: string) =>
  Object.values(errors).some((row) => row.status === status && row.message === message) ||
  (status === 400 && fieldMessages.test(message));

/**
 * Fails the test that got a response which openapi.yaml does not describe: another status, header or field. A message is
 * one of docs/contract.md, or says of a field what an example of openapi.yaml says of one.
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
      : [
          `no error of docs/contract.md has ${status} with the message "${body.message}", and no example of openapi.yaml says it of a field`,
        ]),
  ];
  if (errors.length > 0) expect.fail(`${errors.join('; ')}: ${JSON.stringify(response)}`);
  return response;
};
