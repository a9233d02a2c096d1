import {
  type BatchGetCommand,
  type BatchGetCommandOutput,
  UpdateCommand,
  type UpdateCommandOutput,
} from '@aws-sdk/lib-dynamodb';
import type { Context } from 'aws-lambda';
import { hashApiKey, roles } from '#lib/domain/api-key.ts';
import type { FilePatch } from '#lib/domain/file-patch.ts';
import { propertyOf } from '#lib/domain/parse-data.ts';
import type { createHandler } from '#lib/http/create-handler.ts';
import type { ApiResponse } from '#lib/http/responses.ts';
import type { Tables, TablesClient } from '#lib/store/tables.ts';
import type { System } from '#lib/system.ts';
import { PRIME_TIMEOUT_MS, RESERVED_MS } from '#lib/times.ts';

/** The ids of everything in the dry run. */
const ID = '-';

/** A value for each editable field. tsc reports a missing one. */
const patch: Required<FilePatch> = { summary: ID, documentKind: ID };

/** Nobody has this API key. No file has this etag: if the write were ever sent, no item would meet its condition. */
const event = {
  version: '2.0',
  requestContext: { requestId: ID, http: { method: 'PATCH' } },
  headers: {
    'x-user-id': ID,
    'x-tenant-id': ID,
    'x-api-key': ID,
    'content-type': 'application/json',
    'if-match': '"-"',
    'idempotency-key': ID,
  },
  pathParameters: { spaceId: ID, fileId: ID },
  body: JSON.stringify(patch),
};

/** Records that let the request succeed, of a file with all fields. */
const apiKey = { keyHash: hashApiKey(ID), keyId: ID, tenantId: ID, scope: 'PRODUCT', roles: [...roles] };
const space = { tenantId: ID, spaceId: ID, ownerId: ID, visibility: 'private' };
const file = {
  ...patch,
  spaceId: ID,
  fileId: ID,
  originalName: ID,
  language: ID,
  domain: ID,
  chunksCount: 1,
  charactersCount: 1,
  tags: [{ key: ID, value: ID, aiExtracted: true }],
};

/**
 * A client for one request, which gets the records above. A read is sent all the same, to connect. A write is built and
 * signed, but aborted before it leaves.
 */
const createDryRunClient = ({ client, ...names }: Tables): TablesClient => {
  const found = { [names.apiKeysTable]: [apiKey], [names.spacesTable]: [space], [names.filesTable]: [file] };
  type Options = Parameters<TablesClient['send']>[1];
  function send(command: BatchGetCommand, options: Options): Promise<BatchGetCommandOutput>;
  function send(command: UpdateCommand, options: Options): Promise<UpdateCommandOutput>;
  async function send(command: BatchGetCommand | UpdateCommand, options: Options) {
    if (!(command instanceof UpdateCommand)) {
      await client.send(command, options);
      return { $metadata: {}, Responses: found };
    }
    await client.send(command, { abortSignal: AbortSignal.abort() }).catch(() => undefined);
    const { ExpressionAttributeValues: values } = command.input;
    const written = { version: propertyOf(values, ':version'), w1: propertyOf(values, ':write') };
    return { $metadata: {}, Attributes: { ...file, ...written } };
  }
  return { send };
};

/**
 * Prepares an operation during init with a dry run of one request that succeeds (docs/decisions/008). Its handler is real,
 * with a retry budget of its own. Nothing is written or logged.
 *
 * @param createHandlerOf makes the handler of the operation
 * @returns settles within PRIME_TIMEOUT_MS, with the response of the dry run, and never throws: a problem is reported by
 * the first request that meets it
 */
export const dryRun = async (
  createHandlerOf: (system: System, tables: () => Tables) => ReturnType<typeof createHandler>,
  system: System,
  openTables: () => Tables,
): Promise<ApiResponse | undefined> => {
  try {
    const tables = openTables();
    const handler = createHandlerOf({ ...system, log: () => undefined }, () => ({
      ...tables,
      client: createDryRunClient(tables),
    }));
    // Nothing else of it is needed.
    const context = { getRemainingTimeInMillis: () => PRIME_TIMEOUT_MS + RESERVED_MS } as Context;
    return await handler(event, context);
  } catch {
    // A setting is missing.
    return undefined;
  }
};
