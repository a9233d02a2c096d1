const namesOf = (attributes: readonly string[]) =>
  Object.fromEntries(attributes.map((name) => [`#${name}`, name]));

/** No more of an item than the attributes, as lib/store/read-access.ts asks for them. */
export const projectionOf = (...attributes: readonly string[]) => ({
  ProjectionExpression: attributes.map((name) => `#${name}`).join(', '),
  ExpressionAttributeNames: namesOf(attributes),
});

/** The fenced write of both fields, as lib/store/update-expression.ts words it. */
export const fencedExpression = {
  UpdateExpression:
    'SET #version = :version, #requestId = :requestId, #updatedBy = :updatedBy, ' +
    '#summary = :summary, #documentKind = :documentKind',
  ConditionExpression:
    'attribute_exists(#fileId) AND (attribute_not_exists(#version) OR #version < :version)',
  ExpressionAttributeNames: namesOf([
    'fileId',
    'version',
    'requestId',
    'updatedBy',
    'summary',
    'documentKind',
  ]),
};
