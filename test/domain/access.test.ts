import { describe, expect, test } from 'vitest';
import { authorizeKey } from '#lib/domain/api-key.ts';
import { holds } from '#lib/domain/file.ts';
import { grants, roles } from '#lib/domain/api-key.ts';
import { authorizeSpace } from '#lib/domain/space.ts';

const now = 1_790_000_000_000;
const apiKey = { keyHash: 'hash', keyId: 'key-1', tenantId: 'acme', scope: 'PRODUCT', roles: ['editor'] };
const request = { tenantId: 'acme', userId: 'grace', now };
const caller = { tenantId: 'acme', userId: 'grace', keyId: 'key-1' };
const space = { tenantId: 'acme', spaceId: 'handbook', ownerId: 'ada', visibility: 'public' };

describe('a caller', () => {
  test('is who the key proves and whom the request names', () => {
    expect(authorizeKey({ ...apiKey, expiresAt: 1_790_000_001 }, request)).toEqual(caller);
  });

  test.each([
    [undefined, 'api-key-invalid', 'key is unknown'],
    [{ ...apiKey, revokedAt: 1 }, 'api-key-invalid', 'key is revoked'],
    [{ ...apiKey, expiresAt: 1_790_000_000 }, 'api-key-invalid', 'key is expired'],
    [{ ...apiKey, tenantId: 'globex' }, 'permission-denied', 'key belongs to another tenant'],
    [{ ...apiKey, scope: 'INTERNAL' }, 'permission-denied', 'scope of the key is not PRODUCT'],
    [{ ...apiKey, roles: ['viewer'] }, 'permission-denied', 'no role of the key grants files:update'],
    [
      { ...apiKey, revokedAt: 1, tenantId: 'globex', scope: 'INTERNAL', roles: [] },
      'api-key-invalid',
      'key is revoked',
    ],
  ])('is refused: %j', (record, code, reason) => {
    expect(() => authorizeKey(record, request)).toThrow(
      expect.objectContaining({ code, details: { reason } }),
    );
  });
});

describe('a space', () => {
  test.each([
    ['public', 'ada'],
    ['public', undefined],
    ['private', 'grace'],
    ['unheard of', 'grace'],
    [undefined, 'grace'],
  ])('that is %s and of %s lets grace in', (visibility, ownerId) => {
    const open = { ...space, visibility, ownerId };
    expect(authorizeSpace(open, caller)).toBe(open);
  });

  test.each([
    ['private', 'ada'],
    ['private', undefined],
    ['Public', 'ada'],
    [undefined, 'ada'],
    [true, ['grace']],
  ])('that is %s and of %s does not', (visibility, ownerId) => {
    expect(() => authorizeSpace({ ...space, visibility, ownerId }, caller)).toThrow(
      expect.objectContaining({
        code: 'permission-denied',
        message: 'space is private and the caller is not its owner',
      }),
    );
  });

  test('that is unknown is not found', () => {
    expect(() => authorizeSpace(undefined, caller)).toThrow(
      expect.objectContaining({ code: 'space-not-found', message: 'tenant has no such space' }),
    );
  });
});

test('roles grant what the table says, and nothing that JavaScript inherits', () => {
  expect(roles).toEqual(['admin', 'editor', 'viewer']);
  const granting = [...roles, 'ADMIN', 'constructor', '__proto__', ''].filter((role) =>
    grants([role], 'files:update'),
  );
  expect(granting).toEqual(['admin', 'editor']);
});

test('a precondition holds for the versions it names', () => {
  expect([
    holds({ kind: 'none' }, 5),
    holds({ kind: 'versions', versions: [4, 5] }, 5),
    holds({ kind: 'versions', versions: [4] }, 5),
    holds({ kind: 'versions', versions: [] }, 0),
    holds({ kind: 'unreadable' }, 5),
  ]).toEqual([true, true, false, false, false]);
});
