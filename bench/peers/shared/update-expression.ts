import type { FilePatch } from './records.ts';

/** The expressions of UpdateItem that change the fields sent and no others. */
export const updateExpression = (patch: FilePatch) => {
  const fields = Object.entries(patch);
  const set = fields.filter(([, value]) => value !== null);
  const remove = fields.filter(([, value]) => value === null);
  const clauses = [
    ...(set.length > 0 ? [`SET ${set.map(([name]) => `#${name} = :${name}`).join(', ')}`] : []),
    ...(remove.length > 0 ? [`REMOVE ${remove.map(([name]) => `#${name}`).join(', ')}`] : []),
  ];
  return {
    UpdateExpression: clauses.join(' '),
    ConditionExpression: 'attribute_exists(fileId)',
    ExpressionAttributeNames: Object.fromEntries(fields.map(([name]) => [`#${name}`, name])),
    // DynamoDB refuses an empty map of values.
    ...(set.length > 0 && {
      ExpressionAttributeValues: Object.fromEntries(set.map(([name, value]) => [`:${name}`, value])),
    }),
  };
};
