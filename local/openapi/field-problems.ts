import { ApiError } from '#lib/domain/errors.ts';
import { toFilePatch } from '#lib/domain/file-patch.ts';
import { limits } from './limits.ts';
import type { Occasion } from './occasion.ts';

/** What the service itself says of a body whose fields do not fit. */
const messageOn = (json: string): string => {
  try {
    toFilePatch(json, JSON.parse(json));
  } catch (error) {
    if (error instanceof ApiError && error.details.message !== undefined) return error.details.message;
  }
  throw new Error(`no field is refused in ${json}`);
};

const tooLong = (name: 'summary' | 'documentKind') =>
  messageOn(JSON.stringify({ [name]: 'x'.repeat(limits[name] + 1) }));

const several = `{"tags":[],"summary":1,"x":1,"documentKind":"${'x'.repeat(limits.documentKind + 1)}","2":2,"1":1}`;

/** When the fields of a body are refused: each kind with the very messages that the code gives it. */
export const fieldProblems: readonly Occasion[] = [
  {
    at: '4g',
    when: 'a field stands twice',
    messages: { 'field-repeated': messageOn('{"summary":"a","summary":"b"}') },
  },
  {
    at: '4i',
    when: 'a field of the file that is read-only',
    messages: { 'field-not-editable': messageOn('{"language":"de"}') },
  },
  {
    at: '4j',
    when: 'any other field',
    messages: { 'field-unknown': messageOn('{"x":1}') },
  },
  {
    at: '4k',
    when: 'a value of another type',
    messages: {
      'summary-wrong-type': messageOn('{"summary":1}'),
      'document-kind-wrong-type': messageOn('{"documentKind":1}'),
    },
  },
  {
    at: '4l',
    when: 'a value that is too long',
    messages: { 'summary-too-long': tooLong('summary'), 'document-kind-too-long': tooLong('documentKind') },
  },
  {
    at: '4m',
    when: 'a lone surrogate',
    messages: {
      'summary-invalid-unicode': messageOn(String.raw`{"summary":"\ud83d"}`),
      'document-kind-invalid-unicode': messageOn(String.raw`{"documentKind":"\ud83d"}`),
    },
  },
  {
    at: '4n',
    when: 'several fields do not fit: told together, at most five, in the order of the body',
    aside: true,
    messages: { 'several-problems': messageOn(several) },
  },
];
