import type { UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Config } from '#lib/config.ts';
import type { FilePatch } from '#lib/domain/file-patch.ts';
import type { Precondition } from '#lib/domain/precondition.ts';
import { fileKey } from './keys.ts';
import { type Stamp, updateExpression } from './update-expression.ts';

/** One write: of which file, what it changes, the mark it leaves, and what it requires of the stored version. */
export type FileWrite = {
  readonly spaceId: string;
  readonly fileId: string;
  readonly patch: FilePatch;
  readonly stamp: Stamp;
  readonly precondition: Precondition;
};

/** The one conditional write: applied, it tells the new item; refused, the one that stands in its way. */
export const updateInput = (
  { filesTable }: Config,
  { spaceId, fileId, patch, stamp, precondition }: FileWrite,
) =>
  ({
    TableName: filesTable,
    Key: fileKey({ spaceId, fileId }),
    ...updateExpression(patch, stamp, precondition),
    ReturnValues: 'ALL_NEW',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  }) satisfies UpdateCommandInput;
