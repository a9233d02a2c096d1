import type { Precondition } from '#lib/domain/file.ts';
import type { FileUpdate } from '#lib/domain/file-patch.ts';
import { isNewRequest, type RequestMark, recentWriteValues, setRecentWrites } from './recent-writes.ts';

/*
 * What the condition rejects, with time from left to right (docs/decisions/001):
 *
 *   attempt 1, version 5    sent, delayed ----------------------------------> rejected: 5 is below 7
 *   attempt 2, version 5           sent ---> applied
 *   another update, 7                               sent ---> applied
 *   the request again, 9                                           sent ----> rejected: the file remembers it
 */
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

/** One conditional write of an update, and what it leaves on the file besides the patch. */
export type FileWrite = Pick<FileUpdate, 'patch' | 'precondition' | 'userId'> & {
  readonly mark: RequestMark;
  /** The fencing token: microseconds, above the stored version. */
  readonly version: number;
};

/**
 * The expressions of the one UpdateItem: a pure function of the patch. A field sent with a value is set, one sent as
 * null is removed, one not sent is not named at all. The item remembers its last writes, and a request that is among
 * them is rejected. Fields have numbers in the expressions: any name fits but `id`, the keys, and what each write sets
 * (test/unit/fields.test.ts).
 */
export const updateExpression = ({ patch, precondition, userId, mark, version }: FileWrite) => {
  const set = [...setRecentWrites, '#version = :version', 'updatedBy = :updatedBy'];
  const remove: string[] = [];
  const names: Record<string, string> = { '#fileId': 'fileId', '#version': 'version' };
  const values: Record<string, unknown> = {
    ...recentWriteValues(mark, version),
    ':version': version,
    ':updatedBy': userId,
  };
  for (const [index, [name, value]] of Object.entries(patch).entries()) {
    names[`#field${index}`] = name;
    if (value === null) remove.push(`#field${index}`);
    else {
      set.push(`#field${index} = :field${index}`);
      values[`:field${index}`] = value;
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
