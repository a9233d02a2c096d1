import type { Precondition } from '#lib/domain/file.ts';
import type { FilePatch } from '#lib/domain/file-patch.ts';
import { isNewRequest, type RequestToken, recentWriteValues, setRecentWrites } from './recent-writes.ts';

/** What every write leaves on the file besides the patch. */
type WriteMetadata = {
  /** The fencing token: microseconds, above the stored version. */
  readonly version: number;
  /** The user on whose behalf the file changes. */
  readonly updatedBy: string;
};

const fileExists = 'attribute_exists(#fileId)';
const versionIsNewer = '(attribute_not_exists(#version) OR #version < :version)';
/** Together with `fileExists`, a condition that no item meets. */
const isNoItem = 'attribute_not_exists(#fileId)';

/** The versions that If-Match allows, as a condition and its values. A file without a version counts as version 0. */
const versionMatches = (versions: Precondition) => {
  if (versions === undefined) return { conditions: [], values: {} };
  if (versions.length === 0) return { conditions: [isNoItem], values: {} };
  const values = Object.fromEntries(versions.map((version, index) => [`:match${index}`, version]));
  const isListed = `#version IN (${Object.keys(values).join(', ')})`;
  const condition = versions.includes(0) ? `(attribute_not_exists(#version) OR ${isListed})` : isListed;
  return { conditions: [condition], values };
};

/** What one write changes, and under which conditions. */
export type FileWrite = {
  readonly patch: FilePatch;
  readonly metadata: WriteMetadata;
  readonly request: RequestToken;
  readonly precondition: Precondition;
};

/**
 * The expressions of the one UpdateItem: a pure function of the patch. A field sent with a value is set, one sent as
 * null is removed, one not sent is not named at all. The item remembers its last writes, and a request that is among
 * them is rejected.
 */
export const updateExpression = ({ patch, metadata, request, precondition }: FileWrite) => {
  const set = [...setRecentWrites];
  const remove: string[] = [];
  const names: Record<string, string> = { '#fileId': 'fileId' };
  const values: Record<string, string | number> = recentWriteValues(request, metadata.version);
  for (const [name, value] of Object.entries({ ...metadata, ...patch })) {
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
    ConditionExpression: [fileExists, versionIsNewer, isNewRequest, ...match.conditions].join(' AND '),
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: { ...values, ...match.values },
  };
};
