import { Entity } from 'electrodb';
import { tables } from '../shared/tables.ts';

export const ApiKeys = new Entity(
  {
    model: { entity: 'apiKey', version: '1', service: 'files' },
    attributes: {
      keyHash: { type: 'string', required: true },
      tenantId: { type: 'string', required: true },
      scope: { type: 'string', required: true },
      roles: { type: 'list', items: { type: 'string' }, required: true },
      expiresAt: { type: 'number' },
      revokedAt: { type: 'any' },
    },
    indexes: { byHash: { pk: { field: 'keyHash', composite: ['keyHash'], casing: 'none' } } },
  },
  { table: tables.apiKeys },
);

export const Spaces = new Entity(
  {
    model: { entity: 'space', version: '1', service: 'files' },
    attributes: {
      tenantId: { type: 'string', required: true },
      spaceId: { type: 'string', required: true },
      ownerId: { type: 'string' },
      visibility: { type: 'string' },
    },
    indexes: {
      byTenant: {
        pk: { field: 'tenantId', composite: ['tenantId'], casing: 'none' },
        sk: { field: 'spaceId', composite: ['spaceId'], casing: 'none' },
      },
    },
  },
  { table: tables.spaces },
);
