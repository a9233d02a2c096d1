import type { FileName } from '../case.ts';
import type { Answer } from '../http/answer.ts';
import { parseJson } from './judge.ts';
import { shapes } from './shapes.ts';

/** An answer of the operation, and the file it was about. */
export type Observed = { readonly answer: Answer; readonly file: FileName };

/** What every answer of a run must keep. `create` gives a check that remembers the answers it has seen. */
export type Law = {
  readonly name: string;
  readonly expected: string;
  readonly create: () => (observed: Observed) => boolean;
};

const header = (name: string, value: string): Law => ({
  name: `Every answer has ${name}: ${value}`,
  expected: `${name}: ${value}`,
  create:
    () =>
    ({ answer }) =>
      answer.headers[name] === value,
});

/** Remembers texts; false for one that it has been given before. */
const createUnseen = () => {
  const seen = new Set<string>();
  return (text: string): boolean => seen.size !== seen.add(text).size;
};

const strongTag = /^"[!#-~\u0080-\u00ff]*"$/;

/** The laws of a run that uses these API keys. */
export const lawsFor = (apiKeys: readonly string[]): readonly Law[] => [
  header('content-type', 'application/json'),
  header('cache-control', 'no-store'),
  header('x-content-type-options', 'nosniff'),
  {
    name: 'Every answer has an x-request-id of its own',
    expected: 'x-request-id: one that no other answer has',
    create: () => {
      const isNew = createUnseen();
      return ({ answer }) => isNew(answer.headers['x-request-id'] ?? '') && !!answer.headers['x-request-id'];
    },
  },
  {
    name: 'Every update has a strong etag that the file never had before',
    expected: 'etag: a new strong tag',
    create: () => {
      const isNew = createUnseen();
      return ({ answer: { status, headers }, file }) =>
        status !== 200 || (strongTag.test(headers['etag'] ?? '') && isNew(`${file} ${headers['etag']}`));
    },
  },
  {
    name: 'Every update is answered with the fields of its shape and no other',
    expected: 'the fields of docs/contract.md, Shapes',
    create:
      () =>
      ({ answer, file }) =>
        answer.status !== 200 || shapes[file].safeParse(parseJson(answer.text)).success,
  },
  {
    name: 'No answer repeats an API key',
    expected: 'no API key',
    create:
      () =>
      ({ answer: { text, headers } }) =>
        !apiKeys.some((key) => text.includes(key) || Object.values(headers).some((v) => v?.includes(key))),
  },
];
