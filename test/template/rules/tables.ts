import { tableNames } from '../support/function.ts';
import { everywhere, exactly, is, type Rule } from '../support/rule.ts';
import { at, idsOf } from '../support/template.ts';

const TABLE = 'AWS::DynamoDB::Table';
const files = 'Resources.FilesTable';

const keysOf = (id: string) => {
  const keys = {
    ApiKeysTable: ['keyHash'],
    SpacesTable: ['tenantId', 'spaceId'],
    FilesTable: ['spaceId', 'fileId'],
  };
  return Object.entries(keys).find(([name]) => name === id)?.[1] ?? [];
};
const nameOf: Readonly<Record<string, keyof ReturnType<typeof tableNames>>> = {
  ApiKeysTable: 'apiKeys',
  SpacesTable: 'spaces',
  FilesTable: 'files',
};

/** What keeps the data, and keeps it from going lost. */
export const tableRules: readonly Rule[] = [
  {
    name: 'there are three tables',
    check: (template) => {
      const ids = idsOf(template, TABLE);
      return is(['ApiKeysTable', 'FilesTable', 'SpacesTable'])(ids) ? [] : [`the tables are ${ids.join()}`];
    },
    broken: [[files], ['Resources.More', { Type: TABLE, Properties: {} }]],
  },
  everywhere(
    'a table has the name that the function is told',
    TABLE,
    'Properties.TableName',
    (found, template, id) => found === tableNames(template)[nameOf[id] ?? 'files'],
    [[`${files}.Properties.TableName`, 'other'], ['Resources.SpacesTable.Properties.TableName']],
  ),
  everywhere(
    'the keys are those of docs/contract.md',
    TABLE,
    'Properties.KeySchema',
    (found, _, id) =>
      is(keysOf(id).map((name, place) => ({ AttributeName: name, KeyType: place === 0 ? 'HASH' : 'RANGE' })))(
        found,
      ),
    [
      [`${files}.Properties.KeySchema.1`],
      ['Resources.SpacesTable.Properties.KeySchema.0.AttributeName', 'spaceId'],
    ],
  ),
  everywhere(
    'and are strings',
    TABLE,
    'Properties.AttributeDefinitions',
    (found, _, id) => is(keysOf(id).map((name) => ({ AttributeName: name, AttributeType: 'S' })))(found),
    [[`${files}.Properties.AttributeDefinitions.1.AttributeType`, 'N']],
  ),
  everywhere('a table is paid by request', TABLE, 'Properties.BillingMode', is('PAY_PER_REQUEST'), [
    [`${files}.Properties.BillingMode`, 'PROVISIONED'],
  ]),
  everywhere('a table cannot be deleted', TABLE, 'Properties.DeletionProtectionEnabled', is(true), [
    [`${files}.Properties.DeletionProtectionEnabled`, false],
    ['Resources.ApiKeysTable.Properties.DeletionProtectionEnabled'],
  ]),
  everywhere('a table stays when the stack goes', TABLE, 'DeletionPolicy', is('Retain'), [
    [`${files}.DeletionPolicy`, 'Delete'],
    ['Resources.SpacesTable.DeletionPolicy'],
  ]),
  everywhere('a table stays when another takes its place', TABLE, 'UpdateReplacePolicy', is('Retain'), [
    [`${files}.UpdateReplacePolicy`],
  ]),
  everywhere(
    'a table can be restored to any second',
    TABLE,
    'Properties.PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled',
    is(true),
    [[`${files}.Properties.PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled`, false]],
  ),
  everywhere(
    'a table is encrypted by KMS',
    TABLE,
    'Properties.SSESpecification',
    is({ SSEEnabled: true, SSEType: 'KMS' }),
    [
      [`${files}.Properties.SSESpecification.SSEEnabled`, false],
      ['Resources.SpacesTable.Properties.SSESpecification'],
    ],
  ),
  exactly(
    'keys go when they have expired',
    'Resources.ApiKeysTable.Properties.TimeToLiveSpecification',
    { AttributeName: 'expiresAt', Enabled: true },
    [['Resources.ApiKeysTable.Properties.TimeToLiveSpecification.AttributeName', 'createdAt']],
  ),
  {
    name: 'nothing else goes by itself',
    check: (template) =>
      ['SpacesTable', 'FilesTable'].filter(
        (id) => at(template, `Resources.${id}.Properties.TimeToLiveSpecification`) !== undefined,
      ),
    broken: [[`${files}.Properties.TimeToLiveSpecification`, { AttributeName: 'version', Enabled: true }]],
  },
  everywhere(
    'a table lets in nobody by a policy of its own, and sends its changes nowhere',
    TABLE,
    'Properties',
    (found) =>
      ['ResourcePolicy', 'StreamSpecification', 'KinesisStreamSpecification'].every(
        (name) => at(found, name) === undefined,
      ),
    [
      [`${files}.Properties.ResourcePolicy`, { PolicyDocument: {} }],
      [`${files}.Properties.StreamSpecification`, { StreamViewType: 'NEW_IMAGE' }],
    ],
  ),
  everywhere('tables are made unless those that exist are used', TABLE, 'Condition', is('CreatesTables'), [
    [`${files}.Condition`],
  ]),
];
