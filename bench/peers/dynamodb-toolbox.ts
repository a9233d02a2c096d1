import { Entity } from 'dynamodb-toolbox/entity';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { $remove, UpdateItemCommand } from 'dynamodb-toolbox/entity/actions/update';
import { any } from 'dynamodb-toolbox/schema/any';
import { boolean } from 'dynamodb-toolbox/schema/boolean';
import { item } from 'dynamodb-toolbox/schema/item';
import { list } from 'dynamodb-toolbox/schema/list';
import { map } from 'dynamodb-toolbox/schema/map';
import { number } from 'dynamodb-toolbox/schema/number';
import { string } from 'dynamodb-toolbox/schema/string';
import { Table } from 'dynamodb-toolbox/table';
import { documents as documentClient, ifNoRecord } from './shared/documents.ts';
import { plainHandler, tables } from './shared/operation.ts';

const keyOf = <Name extends string>(name: Name) => ({ name, type: 'string' as const });
const tableOf = <P extends string, S extends string>(name: string, partitionKey: P, sortKey: S) =>
  new Table({ documentClient, name, partitionKey: keyOf(partitionKey), sortKey: keyOf(sortKey) });

// The records exist already: no attributes of the package's own.
const existing = { entityAttribute: false, timestamps: false } as const;

const ApiKeyEntity = new Entity({
  name: 'ApiKey',
  table: new Table({ documentClient, name: tables.apiKeys, partitionKey: keyOf('keyHash') }),
  schema: item({
    keyHash: string().key(),
    tenantId: string(),
    scope: string(),
    roles: list(string()),
    expiresAt: number().optional(),
    revokedAt: any().optional(),
  }),
  ...existing,
});
const SpaceEntity = new Entity({
  name: 'Space',
  table: tableOf(tables.spaces, 'tenantId', 'spaceId'),
  schema: item({
    tenantId: string().key(),
    spaceId: string().key(),
    ownerId: string().optional(),
    visibility: string().optional(),
  }),
  ...existing,
});
const FileEntity = new Entity({
  name: 'File',
  table: tableOf(tables.files, 'spaceId', 'fileId'),
  schema: item({
    spaceId: string().key(),
    fileId: string().key(),
    originalName: string().optional(),
    summary: string().optional(),
    language: string(),
    documentKind: string().optional(),
    domain: string(),
    chunksCount: number().optional(),
    charactersCount: number().optional(),
    tags: list(map({ key: string(), value: string(), aiExtracted: boolean() })).optional(),
  }),
  ...existing,
});

/** The plain handler on DynamoDB-Toolbox. */
export const handler = plainHandler({
  readApiKey: async (keyHash) =>
    (await ApiKeyEntity.build(GetItemCommand).key({ keyHash }).options({ consistent: true }).send()).Item,
  readSpace: async (key) =>
    (await SpaceEntity.build(GetItemCommand).key(key).options({ consistent: true }).send()).Item,
  updateFile: async ({ spaceId, fileId, patch: { summary, documentKind } }) => {
    const updated = await FileEntity.build(UpdateItemCommand)
      .item({
        spaceId,
        fileId,
        ...(summary !== undefined && { summary: summary ?? $remove() }),
        ...(documentKind !== undefined && { documentKind: documentKind ?? $remove() }),
      })
      .options({ condition: { attr: 'fileId', exists: true }, returnValues: 'ALL_NEW' })
      .send()
      .catch(ifNoRecord);
    return updated?.Attributes;
  },
});
