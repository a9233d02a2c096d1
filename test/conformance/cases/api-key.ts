import type { Case, Group } from '../case.ts';
import { keyInvalid } from './answers.ts';

const withKey = (name: string, key: string | readonly string[] | null): Case => ({
  name,
  send: { headers: { 'x-api-key': key } },
  expect: keyInvalid,
});

/** Row 2 of the contract's table: who asks. */
export const apiKey: Group = {
  title: 'API key',
  cases: [
    withKey('A request without an API key is refused', null),
    withKey('An empty API key is refused', ''),
    withKey('An unknown API key is refused', 'no-such-key-anywhere'),
    withKey('A revoked API key is refused', '{apiKeys.revoked}'),
    withKey('An expired API key is refused', '{apiKeys.expired}'),
    withKey('A valid API key in other letter case is refused', '{apiKeys.editor|swapped}'),
    withKey('A valid API key with a character more is refused', '{apiKeys.editor}x'),
    withKey('A valid API key after the word Bearer is refused', 'Bearer {apiKeys.editor}'),
    withKey('A valid API key sent twice is refused', ['{apiKeys.editor}', '{apiKeys.editor}']),
    withKey('A valid API key in a list is refused', '{apiKeys.editor},no-such-key'),
    withKey('An API key of 513 characters is refused', 'k'.repeat(513)),
    withKey('An API key of 512 characters that nobody has is refused', 'k'.repeat(512)),
    withKey('An API key that is not ASCII is refused', 'clé-d’accès'),
    withKey('An API key with a tab inside is refused', 'no\tsuch'),
    {
      name: 'A valid API key under another name is no key',
      send: { headers: { 'x-api-key': null, authorization: '{apiKeys.editor}' } },
      expect: keyInvalid,
    },
    {
      name: 'Unknown, revoked and expired keys cannot be told apart',
      steps: [
        { send: { headers: { 'x-api-key': 'no-such-key' } }, expect: keyInvalid },
        {
          send: { headers: { 'x-api-key': '{apiKeys.revoked}' } },
          expect: { ...keyInvalid, sameBytes: true },
        },
        {
          send: { headers: { 'x-api-key': '{apiKeys.expired}' } },
          expect: { ...keyInvalid, sameBytes: true },
        },
      ],
    },
  ],
};
