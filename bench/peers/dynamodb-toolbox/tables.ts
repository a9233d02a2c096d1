import { Table } from 'dynamodb-toolbox/table';
import { tables } from '../shared/tables.ts';

export const ApiKeysTable = new Table({
  name: tables.apiKeys,
  partitionKey: { name: 'keyHash', type: 'string' },
});

export const SpacesTable = new Table({
  name: tables.spaces,
  partitionKey: { name: 'tenantId', type: 'string' },
  sortKey: { name: 'spaceId', type: 'string' },
});

export const FilesTable = new Table({
  name: tables.files,
  partitionKey: { name: 'spaceId', type: 'string' },
  sortKey: { name: 'fileId', type: 'string' },
});
