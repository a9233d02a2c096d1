import * as z from 'zod';

/**
 * What the gateway takes for an answer. Stricter than AWS, which makes a 200 of any JSON without a statusCode: this
 * function never means that.
 */
const LambdaAnswerSchema = z.object({
  // An interim status (1xx) would leave the client waiting for the final one.
  statusCode: z.int().min(200).max(599),
  headers: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
  cookies: z.array(z.string()).default([]),
  body: z.string().default(''),
  isBase64Encoded: z.boolean().default(false),
});
export type LambdaAnswer = z.infer<typeof LambdaAnswerSchema>;

/** Reads what the function returned, as JSON carries it out of Lambda. Throws where it is no answer, and says why. */
export const toLambdaAnswer = (returned: unknown): LambdaAnswer => {
  const json = JSON.stringify(returned);
  const parsed = LambdaAnswerSchema.safeParse(json === undefined ? undefined : JSON.parse(json));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue === undefined || issue.path.length === 0 ? '' : ` at ${issue.path.join('.')}`;
  throw new Error(`its answer is none${place}: ${issue?.message ?? 'unreadable'}`);
};

/** The gateway's own answer, in place of the function's. */
export const gatewayAnswer = (statusCode: number, message: string): LambdaAnswer => ({
  statusCode,
  headers: { 'content-type': 'application/json' },
  cookies: [],
  body: JSON.stringify({ message }),
  isBase64Encoded: false,
});

export const badRequest = gatewayAnswer(400, 'Bad Request');
export const notFound = gatewayAnswer(404, 'Not Found');
export const tooLarge = gatewayAnswer(413, 'Request Entity Too Large');
export const serverError = gatewayAnswer(500, 'Internal Server Error');
