import { answerRows } from './answer-rows.ts';
import { type ErrorExample, errorExample, errorExamples } from './error-examples.ts';
import { fileExamples } from './examples.ts';
import { headersOf } from './response-headers.ts';
import { schemaRef } from './schemas.ts';
import { responseWords } from './words/responses.ts';

const json = (content: { schema: object; examples: object }) => ({ 'application/json': content });

const updated = json({
  schema: { oneOf: [schemaRef('DetailedFile'), schemaRef('BasicFile')] },
  examples: fileExamples,
});
const refused = (examples: Readonly<Record<string, ErrorExample>>) =>
  json({ schema: schemaRef('Error'), examples });

/** What API Gateway answers by itself, and so without our headers. */
const gatewayAnswers = {
  429: refused({
    'too-many-requests': errorExample('Too Many Requests', 'API Gateway takes no more for now.'),
  }),
};

const ours = (status: number) => ({
  headers: headersOf(status),
  content: status === 200 ? updated : refused(errorExamples(status)),
});

const described = (status: number, rest: object): [string, object] => {
  const description = responseWords.get(status);
  if (description === undefined) throw new Error(`status ${status} has no words`);
  return [String(status), { description, ...rest }];
};

/** Every answer of the operation by its status. */
export const responses = (): Record<string, object> => {
  const statuses = [...new Set(answerRows.map(({ status }) => status))];
  return Object.fromEntries([
    ...statuses.map((status) => described(status, ours(status))),
    described(429, { content: gatewayAnswers[429] }),
  ]);
};
