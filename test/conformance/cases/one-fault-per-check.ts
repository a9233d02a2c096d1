import type { Expected, Sent } from '../case.ts';
import {
  encoded,
  fileChanged,
  fileNotFound,
  ifMatchInvalid,
  keyInvalid,
  noBody,
  notJsonType,
  notPermitted,
  refused,
  spaceNotFound,
  tenantIdInvalid,
  tooLarge,
  userIdMissing,
} from './answers.ts';

type Fault = { readonly what: string; readonly send: Sent; readonly expect: Expected };

const unknownField = refused(400, 'Unknown field "x"; editable fields are summary, documentKind');

/** One fault per check, in the order of the checks. */
export const faults: readonly Fault[] = [
  { what: 'no user', send: { headers: { 'x-user-id': null } }, expect: userIdMissing },
  { what: 'a malformed tenant', send: { headers: { 'x-tenant-id': 'a b' } }, expect: tenantIdInvalid },
  { what: 'an unknown key', send: { headers: { 'x-api-key': 'no-such-key' } }, expect: keyInvalid },
  {
    what: 'a key that may not',
    send: { headers: { 'x-api-key': '{apiKeys.viewer}' } },
    expect: notPermitted,
  },
  { what: 'another media type', send: { headers: { 'content-type': 'text/plain' } }, expect: notJsonType },
  { what: 'an encoding', send: { headers: { 'content-encoding': 'br' } }, expect: encoded },
  { what: 'too large a body', send: { body: ' '.repeat(131_073) }, expect: tooLarge },
  { what: 'no body', send: { body: null }, expect: noBody },
  { what: 'an unknown field', send: { body: '{"x":1}' }, expect: unknownField },
  { what: 'an unknown space', send: { space: 'no-such-space' }, expect: spaceNotFound },
  { what: 'a private space', send: { space: '{spaces.private}' }, expect: notPermitted },
  { what: 'an unknown file', send: { file: 'no-such-file' }, expect: fileNotFound },
  { what: 'an unreadable If-Match', send: { headers: { 'if-match': 'x' } }, expect: ifMatchInvalid },
  { what: 'an old If-Match', send: { headers: { 'if-match': '"1"' } }, expect: fileChanged },
];
