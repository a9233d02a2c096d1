import { readConfig } from '../../../lib/config.ts';
import { updateInput } from '../../../lib/store/update-input.ts';
import type { WriteFile } from '../../../lib/store/write-file.ts';
import { fromItem, type Item } from '../floor/attributes.ts';
import { client } from './client.ts';
import { isConditionFailed } from './is-condition-failed.ts';

const config = readConfig(process.env);

/** An error keeps the item in DynamoDB's own JSON. */
const itemOf = (error: Error) => ('Item' in error ? fromItem(error.Item as Item) : undefined);

/** Our fenced write by aws-lite. It takes no signal, so an attempt lasts as long as it lasts. */
export const write: WriteFile = async (fileWrite) => {
  const { DynamoDB } = await client;
  try {
    const { Attributes: item } = await DynamoDB.UpdateItem(updateInput(config, fileWrite));
    return { applied: true, item };
  } catch (error) {
    if (isConditionFailed(error)) return { applied: false, item: itemOf(error) };
    throw error;
  }
};
