import { Table } from 'dynamodb-toolbox/table';
import { documents } from '../shared/documents/client.ts';
import { tables } from '../shared/tables.ts';

export const ApiKeysTable = new Table({
  name: tables.apiKeys,
  documentClient: documents,
  partitionKey: { name: 'keyHash', type: 'string' },
});

export const SpacesTable = new Table({
  name: tables.spaces,
  documentClient: documents,
  partitionKey: { name: 'tenantId', type: 'string' },
  sortKey: { name: 'spaceId', type: 'string' },
});

export const FilesTable = new Table({
  name: tables.files,
  documentClient: documents,
  partitionKey: { name: 'spaceId', type: 'string' },
  sortKey: { name: 'fileId', type: 'string' },
});
