import { expect, test } from 'vitest';
import { runningProject } from '#test/support/processes.ts';
import type { Answer } from './http/answer.ts';
import type { Alteration } from './support/altering-proxy.ts';
import { namesOf, runAltered } from './support/run-altered.ts';

const project = runningProject();

const answer = (alter: (answer: Answer) => Partial<Answer>): Alteration => ({
  answer: (given) => ({ ...given, ...alter(given) }),
});
const onStatus = (status: number, alter: (answer: Answer) => Partial<Answer>): Alteration =>
  answer((given) => (given.status === status ? alter(given) : {}));
const header = (name: string, value: string | undefined): Alteration =>
  answer(({ headers }) => ({ headers: { ...headers, [name]: value } }));
const body = (alter: (json: string) => string): Alteration => ({
  request: (given) => ({ ...given, body: Buffer.from(alter(Buffer.from(given.body).toString())) }),
});
const without = (name: string): Alteration => ({
  request: (given) => ({
    ...given,
    headers: given.headers.filter((_, index, all) => all[index - (index % 2)]?.toLowerCase() !== name),
  }),
});

type Fault = {
  readonly titles: readonly string[];
  readonly alteration: Alteration;
  readonly failing: readonly string[];
};
const updatedText = 'Text as it was sent';

const faults: Readonly<Record<string, Fault>> = {
  'another message': {
    titles: ['API key', 'Permission'],
    alteration: onStatus(401, ({ text }) => ({ text: text.replace('Key', 'key') })),
    failing: namesOf('API key'),
  },
  'another status': {
    titles: ['API key', 'Permission'],
    alteration: onStatus(401, () => ({ status: 403 })),
    failing: namesOf('API key'),
  },
  'what was sent, told in a refusal': {
    titles: ['API key', 'Permission'],
    alteration: onStatus(401, ({ text }) => ({ text: text.replace('}', ',"given":"x"}') })),
    failing: namesOf('API key'),
  },
  'a header that is missing': {
    titles: ['Permission'],
    alteration: header('x-content-type-options', undefined),
    failing: ['Every answer has x-content-type-options: nosniff'],
  },
  'one request id for all': {
    titles: ['Permission'],
    alteration: header('x-request-id', '1'),
    failing: ['Every answer has an x-request-id of its own'],
  },
  'an API key in an answer': {
    titles: ['Permission'],
    alteration: header('x-debug', 'key=demo-viewer-key'),
    failing: ['No answer repeats an API key'],
  },
  'an attribute that is nobody’s business': {
    titles: ['Permission'],
    alteration: onStatus(200, ({ text }) => ({ text: text.replace('{', '{"updatedBy":"grace",') })),
    failing: ['Every update is answered with the fields of its shape and no other'],
  },
  'a weak etag': {
    titles: ['Permission'],
    alteration: onStatus(200, ({ headers }) => ({ headers: { ...headers, etag: `W/${headers['etag']}` } })),
    failing: ['Every update has a strong etag that the file never had before'],
  },
  'a summary that is trimmed': {
    titles: [updatedText],
    alteration: body((json) => json.replace(/"summary":"\s+/, '"summary":"')),
    failing: [
      'A summary keeps a space',
      'A summary keeps white space at both ends',
      'A summary keeps the separators U+2028 and U+2029',
    ],
  },
  'text that is normalised': {
    titles: [updatedText],
    alteration: body((json) => json.normalize('NFC')),
    failing: [
      'A summary keeps an e with an accent in two characters',
      'A kind keeps an e with an accent in two characters',
    ],
  },
  'null taken for an empty text': {
    titles: ['Absent, null, value'],
    alteration: body((json) => json.replace('"summary":null', '"summary":""')),
    failing: namesOf('Absent, null, value').filter((name) => /"summary":null|Clearing|two things/.test(name)),
  },
  'If-Match ignored': {
    titles: ['File', 'If-Match'],
    alteration: without('if-match'),
    failing: namesOf('If-Match').filter((name) =>
      /not match(?! a file)|cannot be read|opens the way|one update only/.test(name),
    ),
  },
};

test.each(Object.entries(faults))('%s is found', async (_, { titles, alteration, failing }) => {
  const { results } = await runAltered(project.url, { titles, alteration });
  const found = results.filter(({ outcome }) => outcome.kind !== 'passed').map(({ name }) => name);
  expect(found).toStrictEqual(failing);
});
