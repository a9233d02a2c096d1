import { Entity } from 'electrodb';
import { tables } from '../shared/tables.ts';

export const Files = new Entity(
  {
    model: { entity: 'file', version: '1', service: 'files' },
    attributes: {
      spaceId: { type: 'string', required: true },
      fileId: { type: 'string', required: true },
      originalName: { type: 'string' },
      summary: { type: 'string' },
      language: { type: 'string', required: true },
      documentKind: { type: 'string' },
      domain: { type: 'string', required: true },
      version: { type: 'number' },
      requestId: { type: 'string' },
      updatedBy: { type: 'string' },
      chunksCount: { type: 'number' },
      charactersCount: { type: 'number' },
      tags: {
        type: 'list',
        items: {
          type: 'map',
          properties: {
            key: { type: 'string', required: true },
            value: { type: 'string', required: true },
            aiExtracted: { type: 'boolean', required: true },
          },
        },
      },
    },
    indexes: {
      bySpace: {
        pk: { field: 'spaceId', composite: ['spaceId'], casing: 'none' },
        sk: { field: 'fileId', composite: ['fileId'], casing: 'none' },
      },
    },
  },
  { table: tables.files },
);
