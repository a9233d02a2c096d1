import type { Group } from '../case.ts';
import { notPermitted, updated } from './answers.ts';

/** What several updates make of one file. */
export const repetition: Group = {
  title: 'Several updates',
  cases: [
    {
      name: 'An update may be repeated, and comes to the same',
      steps: [
        { send: { body: '{"summary":"Again.","documentKind":"same"}' }, expect: updated('Again.', 'same') },
        { send: { body: '{"summary":"Again.","documentKind":"same"}' }, expect: updated('Again.', 'same') },
        { send: { body: '{"summary":"Again.","documentKind":"same"}' }, expect: updated('Again.', 'same') },
      ],
    },
    {
      name: 'The last writer wins',
      steps: [
        { send: { body: '{"summary":"One."}' }, expect: updated('One.', 'before') },
        {
          send: { body: '{"summary":"Two."}', headers: { 'x-user-id': 'somebody-else' } },
          expect: updated('Two.', 'before'),
        },
        { send: { body: '{"summary":"Three."}' }, expect: updated('Three.', 'before') },
      ],
    },
    {
      name: 'The last writer wins per field',
      steps: [
        { send: { body: '{"summary":"Mine."}' }, expect: updated('Mine.', 'before') },
        {
          send: { body: '{"documentKind":"theirs"}', headers: { 'x-user-id': 'somebody-else' } },
          expect: updated('Mine.', 'theirs'),
        },
        { send: { body: '{"summary":"Mine again."}' }, expect: updated('Mine again.', 'theirs') },
      ],
    },
    {
      name: 'A file does not change with its neighbour',
      file: 'basic',
      steps: [
        {
          send: { body: '{"summary":"Of the basic file."}' },
          expect: updated('Of the basic file.', 'before'),
        },
        { send: { body: '{"documentKind":"basic"}' }, expect: updated('Of the basic file.', 'basic') },
      ],
    },
    {
      name: 'A refusal between two updates changes neither',
      file: 'private',
      steps: [
        { send: { body: '{"summary":"By the owner."}' }, expect: updated('By the owner.', 'before') },
        {
          send: { body: '{"summary":"By another."}', headers: { 'x-user-id': '{userId}' } },
          expect: notPermitted,
        },
        { send: { body: '{"documentKind":"owned"}' }, expect: updated('By the owner.', 'owned') },
      ],
    },
  ],
};
