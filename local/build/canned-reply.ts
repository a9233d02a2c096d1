type Item = Readonly<Record<string, unknown>>;
type Batch = { RequestItems: Readonly<Record<string, { Keys: readonly [Item] }>> };
type Update = { Key: Item; ExpressionAttributeValues: Item };

/** Fits a key, a space and a file alike: each reads its own attributes. */
const record: Item = {
  keyId: { S: 'key' },
  tenantId: { S: 'acme' },
  scope: { S: 'PRODUCT' },
  roles: { L: [{ S: 'editor' }] },
  ownerId: { S: 'grace' },
  visibility: { S: 'public' },
  originalName: { S: 'onboarding.pdf' },
  language: { S: 'en' },
  domain: { S: 'hr' },
  chunksCount: { N: '12' },
  charactersCount: { N: '18450' },
  tags: { L: [{ M: { key: { S: 'status' }, value: { S: 'approved' }, aiExtracted: { BOOL: false } } }] },
};

/** The attributes that an update sets: `:name` holds the value of `name`. */
const setBy = ({ ExpressionAttributeValues }: Update): Item =>
  Object.fromEntries(
    Object.entries(ExpressionAttributeValues).map(([name, value]) => [name.slice(1), value]),
  );

/** What DynamoDB says when all goes well: every record exists, every write is applied. */
export const cannedReply = (target: string, body: Batch & Update): unknown =>
  target.endsWith('BatchGetItem')
    ? {
        Responses: Object.fromEntries(
          Object.entries(body.RequestItems).map(([table, { Keys }]) => [table, [{ ...record, ...Keys[0] }]]),
        ),
        UnprocessedKeys: {},
      }
    : { Attributes: { ...record, ...body.Key, ...setBy(body) } };
