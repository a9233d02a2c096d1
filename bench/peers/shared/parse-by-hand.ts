import { emptyPatch, fieldMessage, lengthMessage, notAnObject, typeMessage } from './messages.ts';
import type { FilePatch } from './records.ts';
import { badRequest, notJson, type Refusal } from './refusal.ts';

const limits = { summary: 10_000, documentKind: 256 };

const problemOf = (name: string, value: unknown): string | undefined => {
  if (name !== 'summary' && name !== 'documentKind') return fieldMessage(name);
  if (value === null) return undefined;
  if (typeof value !== 'string') return typeMessage(name);
  return value.length > limits[name] ? lengthMessage(name, limits[name]) : undefined;
};

/** Reads a body without a validation package. */
export const parseByHand = (body: string | undefined): { patch: FilePatch } | { refusal: Refusal } => {
  if (!body) return { refusal: badRequest('Request body is required') };
  let patch: unknown;
  try {
    patch = JSON.parse(body);
  } catch {
    return { refusal: notJson };
  }
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch))
    return { refusal: badRequest(notAnObject) };
  const fields = Object.entries(patch);
  if (fields.length === 0) return { refusal: badRequest(emptyPatch) };
  const problems = fields.flatMap(([name, value]) => problemOf(name, value) ?? []);
  return problems.length > 0 ? { refusal: badRequest(problems.join('; ')) } : { patch };
};
