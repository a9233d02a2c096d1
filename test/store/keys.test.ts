import { expect, test } from 'vitest';
import { fileKey, hashApiKey, isStorable, spaceKey } from '#lib/store/keys.ts';

test.each([
  ['', false],
  ['a', true],
  ['a'.repeat(1024), true],
  ['a'.repeat(1025), false],
  ['é'.repeat(512), true],
  ['é'.repeat(513), false],
  ['\ud800', false],
])('%.20j can be stored: %s', (id, storable) => {
  expect(isStorable(id)).toBe(storable);
});

test('a key is known by its SHA-256 in hex', () => {
  expect(hashApiKey('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

test('a table key is two plain attributes', () => {
  expect(spaceKey({ tenantId: 'acme', spaceId: 'handbook' })).toEqual({
    tenantId: 'acme',
    spaceId: 'handbook',
  });
  expect(fileKey({ spaceId: 'handbook', fileId: 'f' })).toEqual({ spaceId: 'handbook', fileId: 'f' });
});
