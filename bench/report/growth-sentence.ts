import type { Growth } from '../types.ts';
import { amount, count, times } from './format.ts';

/** Up to this, more is noise: it counts as flat. */
const FLAT = 1.1;

const reasons: Readonly<Record<string, { readonly flat: string; readonly grown: string }>> = {
  'growth-files': {
    flat: 'A file is found by its key, however many others there are.',
    grown: 'A file is found by its key, so this is the engine and not the function.',
  },
  'growth-tags': {
    flat: 'Tags come back with the item and are parsed, which is too little to see.',
    grown: 'The item comes back with its tags, and they are parsed and sent on.',
  },
  'growth-summary': {
    flat: 'The bytes are sent, hashed for the signature and stored, which is too little to see.',
    grown: 'The bytes are sent, hashed for the signature, stored and sent back.',
  },
  'growth-callers': {
    flat: 'The process has CPU to spare.',
    grown:
      'One process has one thread, and its requests take turns. On Lambda each request under way has an instance ' +
      'of its own.',
  },
};

const factor = (first: number, last: number): string => `${times(last / first)} times`;

const units = (name: string, first: number, last: number): readonly string[] =>
  first === last ? [] : [`${name} from ${amount(first, '')} to ${amount(last, '')}`];

/** One growth in words: flat or not, by how much from the first point to the last, and why where that is known. */
export const growthSentence = (growth: Growth): string => {
  const [first, last] = [growth.points.at(0), growth.points.at(-1)];
  if (first === undefined || last === undefined || first === last) return 'Not measured.';
  const flat = last.wallP50 <= FLAT * first.wallP50 && last.cpu <= FLAT * first.cpu;
  const changes = [
    ...units('read units', first.readUnits, last.readUnits),
    ...units('write units', first.writeUnits, last.writeUnits),
  ];
  const sentence = [
    `${flat ? 'Flat' : 'Grows'}: wall time ${factor(first.wallP50, last.wallP50)}, CPU ${factor(first.cpu, last.cpu)}`,
    ...changes,
    `from ${count(first.at)} to ${count(last.at)} ${growth.quantity}.`,
  ].join(', ');
  const reason = reasons[growth.id]?.[flat ? 'flat' : 'grown'] ?? '';
  const charged = changes.length === 0 ? '' : 'DynamoDB counts units by size.';
  return [sentence, reason, charged].filter((part) => part !== '').join(' ');
};
