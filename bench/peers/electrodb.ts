import { Entity } from 'electrodb';
import { documents as client } from './shared/documents.ts';
import { plainHandler, tables } from './shared/operation.ts';

const text = { type: 'string' } as const;
const requiredText = { type: 'string', required: true } as const;
const modelOf = (entity: string) => ({ entity, version: '1', service: 'files' });
const keyOf = <Name extends string>(field: Name) => ({ field, composite: [field], casing: 'none' as const });

const ApiKeys = new Entity(
  {
    model: modelOf('apiKey'),
    attributes: {
      keyHash: requiredText,
      tenantId: requiredText,
      scope: requiredText,
      roles: { type: 'list', items: { type: 'string' }, required: true },
      expiresAt: { type: 'number' },
      revokedAt: { type: 'any' },
    },
    indexes: { byHash: { pk: keyOf('keyHash') } },
  },
  { client, table: tables.apiKeys },
);

const Spaces = new Entity(
  {
    model: modelOf('space'),
    attributes: { tenantId: requiredText, spaceId: requiredText, ownerId: text, visibility: text },
    indexes: { byTenant: { pk: keyOf('tenantId'), sk: keyOf('spaceId') } },
  },
  { client, table: tables.spaces },
);

const aiExtracted = { type: 'boolean', required: true } as const;
const Files = new Entity(
  {
    model: modelOf('file'),
    attributes: {
      spaceId: requiredText,
      fileId: requiredText,
      originalName: text,
      summary: text,
      language: requiredText,
      documentKind: text,
      domain: requiredText,
      chunksCount: { type: 'number' },
      charactersCount: { type: 'number' },
      tags: {
        type: 'list',
        items: { type: 'map', properties: { key: requiredText, value: requiredText, aiExtracted } },
      },
    },
    indexes: { bySpace: { pk: keyOf('spaceId'), sk: keyOf('fileId') } },
  },
  { client, table: tables.files },
);

// ElectroDB did not write these records, so they do not have its two marker attributes.
const read = { ignoreOwnership: true, consistent: true } as const;

/** The plain handler on ElectroDB. Its write adds the two marker attributes to the file. */
export const handler = plainHandler({
  readApiKey: async (keyHash) => (await ApiKeys.get({ keyHash }).go(read)).data ?? undefined,
  readSpace: async (key) => (await Spaces.get(key).go(read)).data ?? undefined,
  updateFile: async ({ spaceId, fileId, patch }) => {
    const { summary, documentKind } = patch;
    const set = {
      ...(typeof summary === 'string' && { summary }),
      ...(typeof documentKind === 'string' && { documentKind }),
    };
    const remove = (['summary', 'documentKind'] as const).filter((name) => patch[name] === null);
    const { data } = await Files.patch({ spaceId, fileId })
      .set(set)
      .remove(remove)
      .go({ response: 'all_new', returnOnConditionCheckFailure: true });
    return data;
  },
});
