import { example } from './examples.ts';
import { limits } from './limits.ts';

/** An id, but for format characters, which the service refuses too: regular expressions share no word for them. */
const ID = String.raw`^[^\s,\x00-\x1F\x7F-\x9F]+$`;

const TAG = String.raw`(?:W\/)?"[!#-~\x80-\xFF]*"`;
/** `*`, or tags between commas; members of the list may be empty (RFC 9110, 5.6.1). */
const IF_MATCH = String.raw`^[\t ]*\*[\t ]*$|^[\t ,]*${TAG}[\t ]*(?:,[\t ]*(?:${TAG}[\t ]*)?)*$`;

const id = (name: string, meaning: string, value: string) => ({
  name,
  in: 'header',
  required: true,
  description:
    `${meaning} Opaque: compared exactly, up to ${limits.id} characters (Unicode code points), without commas, ` +
    'white space, control or format characters.',
  schema: { type: 'string', minLength: 1, maxLength: limits.id, pattern: ID },
  example: value,
});

const segment = (name: string, description: string, value: string) => ({
  name,
  in: 'path',
  required: true,
  description,
  schema: { type: 'string', minLength: 1 },
  example: value,
});

/** The parameters of the operation, by the name of their component. */
export const componentParameters = {
  SpaceId: segment('spaceId', 'Identifier of the space that holds the file.', example.spaceId),
  FileId: segment('fileId', 'Identifier of the file.', example.fileId),
  TenantId: id('x-tenant-id', 'The tenant; the API key must be bound to it.', example.tenantId),
  UserId: id('x-user-id', 'The user on whose behalf the file changes.', example.userId),
  IfMatch: {
    name: 'if-match',
    in: 'header',
    required: false,
    description:
      'Write only if the file is still as the `etag` of an earlier answer says, for one ' +
      `\`${example.etag}\`: one tag, or a list of up to ${limits.etags}, of which one must match. ` +
      '`*` asks for nothing. Weak tags never match. Absent: write whatever was written since.',
    schema: { type: 'string', pattern: IF_MATCH },
    // Tools that send requests fill it in: it must not end in a 412.
    example: '*',
  },
};
