import type { Group } from '../case.ts';
import { notPermitted, updatedAsUsual } from './answers.ts';

/** Row 3 of the contract's table: what the key may do, and where. */
export const permission: Group = {
  title: 'Permission',
  cases: [
    {
      name: 'A key whose roles grant no update is refused',
      send: { headers: { 'x-api-key': '{apiKeys.viewer}' } },
      expect: notPermitted,
    },
    {
      name: 'A key of another scope is refused',
      send: { headers: { 'x-api-key': '{apiKeys.otherScope}' } },
      expect: notPermitted,
    },
    {
      name: 'A key of another tenant is refused',
      send: { headers: { 'x-api-key': '{apiKeys.otherTenant}' } },
      expect: notPermitted,
    },
    {
      name: 'A key cannot be used in the name of another tenant',
      send: { headers: { 'x-tenant-id': '{otherTenantId}' }, space: '{spaces.otherTenant}' },
      expect: notPermitted,
    },
    {
      name: 'A key cannot be used in the name of a tenant that never was',
      send: { headers: { 'x-tenant-id': 'no-such-tenant' } },
      expect: notPermitted,
    },
    {
      name: 'A tenant is compared exactly, letter case included',
      send: { headers: { 'x-tenant-id': '{tenantId|swapped}' } },
      expect: notPermitted,
    },
    {
      name: 'The part of a tenant that a key shares is not enough',
      send: { headers: { 'x-tenant-id': '{tenantId}-x' } },
      expect: notPermitted,
    },
    {
      name: 'A key with the role admin may update',
      send: { headers: { 'x-api-key': '{apiKeys.admin}' } },
      expect: updatedAsUsual,
    },
  ],
};
