import type { UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Config } from '#lib/config.ts';
import { fileKey } from './keys.ts';
import { updateExpression } from './update-expression.ts';

type Update = {
  readonly spaceId: string;
  readonly fileId: string;
  readonly expression: Parameters<typeof updateExpression>;
};

/** The one conditional write: applied, it tells the new item; refused, the one that stands in its way. */
export const updateInput = (config: Config, { spaceId, fileId, expression }: Update): UpdateCommandInput => ({
  TableName: config.filesTable,
  Key: fileKey({ spaceId, fileId }),
  ...updateExpression(...expression),
  ReturnValues: 'ALL_NEW',
  ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
});
