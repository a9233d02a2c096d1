import type { FilePatch } from '#lib/domain/file-patch.ts';
import type { Precondition } from '#lib/domain/precondition.ts';

/** The bookkeeping that every write leaves on the file. */
export type Stamp = { readonly version: number; readonly requestId: string; readonly updatedBy: string };

const fileExists = 'attribute_exists(#fileId)';
const versionIsNewer = '(attribute_not_exists(#version) OR #version < :version)';
const nothingMatches = 'attribute_not_exists(#fileId)';

/** The versions that If-Match allows, as a condition and its values. A file without a version counts as version 0. */
const versionMatches = (precondition: Precondition) => {
  if (precondition.kind === 'none') return { conditions: [], values: {} };
  const versions = precondition.kind === 'versions' ? precondition.versions : [];
  if (versions.length === 0) return { conditions: [nothingMatches], values: {} };
  const values = Object.fromEntries(versions.map((version, index) => [`:match${index}`, version]));
  const isListed = `#version IN (${Object.keys(values).join(', ')})`;
  const condition = versions.includes(0) ? `(attribute_not_exists(#version) OR ${isListed})` : isListed;
  return { conditions: [condition], values };
};

/**
 * The one write: a pure function from the patch to the expressions of UpdateItem. A field sent with a value is set,
 * one sent as null is removed, one not sent is not named at all.
 */
export const updateExpression = (patch: FilePatch, stamp: Stamp, precondition: Precondition) => {
  const sent = Object.entries(patch);
  const set = { ...stamp, ...Object.fromEntries(sent.filter(([, value]) => value !== null)) };
  const remove = sent.filter(([, value]) => value === null).map(([name]) => name);
  const match = versionMatches(precondition);

  const setClause = `SET ${Object.keys(set)
    .map((name) => `#${name} = :${name}`)
    .join(', ')}`;
  const removeClause = remove.length > 0 ? ` REMOVE ${remove.map((name) => `#${name}`).join(', ')}` : '';
  const names = ['fileId', ...Object.keys(set), ...remove];
  return {
    UpdateExpression: setClause + removeClause,
    ConditionExpression: [fileExists, versionIsNewer, ...match.conditions].join(' AND '),
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: {
      ...Object.fromEntries(Object.entries(set).map(([name, value]) => [`:${name}`, value])),
      ...match.values,
    },
  };
};
