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
  const set: string[] = [];
  const remove: string[] = [];
  const names: Record<string, string> = { '#fileId': 'fileId' };
  const values: Record<string, string | number> = {};
  for (const [name, value] of Object.entries({ ...stamp, ...patch })) {
    names[`#${name}`] = name;
    if (value === null) remove.push(`#${name}`);
    else {
      set.push(`#${name} = :${name}`);
      values[`:${name}`] = value;
    }
  }
  const match = versionMatches(precondition);
  return {
    UpdateExpression: `SET ${set.join(', ')}${remove.length > 0 ? ` REMOVE ${remove.join(', ')}` : ''}`,
    ConditionExpression: [fileExists, versionIsNewer, ...match.conditions].join(' AND '),
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: { ...values, ...match.values },
  };
};
