import { Entity } from 'dynamodb-toolbox/entity';
import { any } from 'dynamodb-toolbox/schema/any';
import { boolean } from 'dynamodb-toolbox/schema/boolean';
import { item } from 'dynamodb-toolbox/schema/item';
import { list } from 'dynamodb-toolbox/schema/list';
import { map } from 'dynamodb-toolbox/schema/map';
import { number } from 'dynamodb-toolbox/schema/number';
import { string } from 'dynamodb-toolbox/schema/string';
import { ApiKeysTable, FilesTable, SpacesTable } from './tables.ts';

// The records exist already: no attributes of the package's own.
const existing = { entityAttribute: false, timestamps: false } as const;

export const ApiKeyEntity = new Entity({
  name: 'ApiKey',
  table: ApiKeysTable,
  schema: item({
    keyHash: string().key(),
    keyId: string(),
    tenantId: string(),
    scope: string(),
    roles: list(string()),
    expiresAt: number().optional(),
    revokedAt: any().optional(),
  }),
  ...existing,
});

export const SpaceEntity = new Entity({
  name: 'Space',
  table: SpacesTable,
  schema: item({
    tenantId: string().key(),
    spaceId: string().key(),
    ownerId: string().optional(),
    visibility: string().optional(),
  }),
  ...existing,
});

export const FileEntity = new Entity({
  name: 'File',
  table: FilesTable,
  schema: item({
    spaceId: string().key(),
    fileId: string().key(),
    originalName: string().optional(),
    summary: string().optional(),
    language: string(),
    documentKind: string().optional(),
    domain: string(),
    version: number().optional(),
    requestId: string().optional(),
    updatedBy: string().optional(),
    chunksCount: number().optional(),
    charactersCount: number().optional(),
    tags: list(map({ key: string(), value: string(), aiExtracted: boolean() })).optional(),
  }),
  ...existing,
});
