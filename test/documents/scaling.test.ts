// docs/scaling.md is computed here, from prices, limits and sizes. AWS's pages, which it links to, have the first two.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { toLogLine } from '#lib/http/log-line.ts';
import { projectRoot } from '#tools/project.ts';

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8');
/** In one line, because a sentence may be wrapped anywhere. */
const page = read('docs/scaling.md').replaceAll(/\s+/g, ' ');

/** Dollars per million. */
const HTTP_API = 1;
const WRITE_UNIT = 0.625;
const READ_UNIT = 0.125;
const LAMBDA_REQUEST = 0.2;
const GB_SECOND = 13.3334;
/** Dollars per GB of log, which is dollars per million lines of 1,000 bytes. */
const LOG_GB = 0.5;

const PARTITION_READS = 3_000;
const PARTITION_WRITES = 1_000;
const TABLE_WRITES = 4_000;
/** Requests per second for each unit of the quota of concurrent executions. */
const ADMITTED_PER_UNIT = 10;

/** What the page assumes. */
const REQUEST_SECONDS = 0.02;
const START_SECONDS = 0.25;
const STARTS_PER_REQUEST = 0.01;
const MEMORY_GB = 0.5;
const READS = 2;
const ACCESS_LINE_BYTES = 240;
const LAMBDA_LINES_BYTES = 260;

/** The size of a value in an item, by the rules of AWS ("DynamoDB item sizes and formats"). */
const sizeOf = (value: unknown): number => {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number') return Math.ceil(`${value}`.replace(/0+$/, '').length / 2) + 1;
  if (typeof value !== 'object' || value === null) return 1;
  const isList = Array.isArray(value);
  return Object.entries(value).reduce((sum, [name, inner]) => {
    return sum + sizeOf(inner) + 1 + (isList ? 0 : Buffer.byteLength(name));
  }, 3);
};
const unitsOf = (item: object) =>
  Math.ceil(
    Object.entries(item).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + sizeOf(value), 0) /
      1024,
  );

/** The file that docs/contract.md shows, after eight updates with an idempotency key. */
const [, shown = ''] = /```json\n(.*?)```/s.exec(read('docs/contract.md')) ?? [];
const { tags, ...fields } = JSON.parse(shown);
const recent = Array.from({ length: 8 }, (_, index) => [`w${index + 1}`, fields.w2]);
const file = { ...fields, tags, ...Object.fromEntries(recent) };
const units = unitsOf(file);
const unitsOfLongest = unitsOf({ ...file, summary: 's'.repeat(10_000) });
const unitsOfTags = unitsOf({ ...file, tags: Array(1_000).fill(tags[0]) });

/** The line of an update whose ids are UUIDs, as a real one has them. */
const uuid = '3f2b8c1e-6a4d-4c57-9e0f-1b7a2d9c5e80';
const logFields = { userId: 'grace', tenantId: 'acme', keyId: 'key_4kVdYw0rTz9Q', retries: 0, conflicts: 0 };
const line = toLogLine(
  {
    context: { requestId: uuid, deadline: 0, logFields: { ...logFields, versionAheadMs: 0 } },
    startedAt: 0,
    awsRequestId: uuid,
    gatewayRequestId: 'JKJaXmPLvHcESHA=',
    format: '2.0',
    path: { spaceId: uuid, fileId: uuid },
  },
  { status: 200, success: 'updated', now: 32 },
);
const lineBytes = Buffer.byteLength(line);

const costs = {
  api: HTTP_API,
  writes: units * WRITE_UNIT,
  reads: READS * READ_UNIT,
  requests: LAMBDA_REQUEST,
  duration: REQUEST_SECONDS * MEMORY_GB * GB_SECOND,
  starts: STARTS_PER_REQUEST * START_SECONDS * MEMORY_GB * GB_SECOND,
  line: (lineBytes * LOG_GB) / 1_000,
  accessLine: (ACCESS_LINE_BYTES * LOG_GB) / 1_000,
  lambdaLines: (LAMBDA_LINES_BYTES * LOG_GB) / 1_000,
};
const total = Object.values(costs).reduce((sum, cost) => sum + cost, 0);
const inWords = (value: number) => value.toLocaleString('en-US');
/** With two digits that count. */
const rounded = (value: number) => inWords(Number(value.toPrecision(2)));

test.each([1_000, 10_000, 100_000])('docs/scaling.md has the row of %i requests per second', (rate) => {
  const ofWrites = Math.ceil(rate / PARTITION_WRITES);
  const ofReads = Math.ceil(rate / PARTITION_READS);
  const numbers = [rate, rate * REQUEST_SECONDS, rate / ADMITTED_PER_UNIT, ofReads, ofReads, ofWrites];
  const dollars = rounded((total * rate * 30 * 86_400) / 1_000_000);
  const [row] = new RegExp(`\\| ${inWords(rate)} \\|( [\\d,]+ \\|){6}`).exec(page) ?? [];
  expect(row).toBe(`| ${numbers.map(inWords).join(' | ')} | ${dollars} |`);
});

test('docs/scaling.md has what an update costs, and what a file takes', () => {
  const { writes, duration, starts, accessLine, lambdaLines } = costs;
  const sentences = [
    `HTTP API: ${costs.api.toFixed(3)}`,
    `writes ${writes.toFixed(3)} (${(unitsOfLongest * WRITE_UNIT).toFixed(2)} with a summary of 10,000 characters)`,
    `reads ${costs.reads.toFixed(3)}`,
    `requests ${costs.requests.toFixed(3)}, duration ${duration.toFixed(2)}, cold starts ${starts.toFixed(2)}`,
    `line of ${lineBytes} bytes: ${costs.line.toFixed(2)}`,
    `access log (${ACCESS_LINE_BYTES} bytes): ${accessLine.toFixed(2)}`,
    `(${LAMBDA_LINES_BYTES} bytes): ${lambdaLines.toFixed(2)}`,
    `**Together, this is ${total.toFixed(1)} dollars.**`,
    `1 with the file of the [contract](contract.md#tables), ${unitsOfLongest} with a summary of 10,000 characters`,
    `and ${unitsOfTags} with 1,000 tags.`,
    `1,000 writes of 1 KB, ${Math.floor(PARTITION_WRITES / unitsOfLongest)} with a summary of 10,000 characters`,
    `and ${Math.floor(PARTITION_WRITES / unitsOfTags)} with 1,000 tags.`,
    `${inWords(TABLE_WRITES)} write units`,
  ];
  expect(units).toBe(1);
  expect(sentences.filter((sentence) => !page.includes(sentence))).toEqual([]);
});

test('the access log line has about the bytes that docs/scaling.md counts', () => {
  const [, format = ''] = /format: >-\n(.*?)\n\n/s.exec(read('serverless.yml')) ?? [];
  const values: Readonly<Record<string, string>> = {
    requestTime: '23/Nov/2026:18:00:00 +0000',
    requestId: 'JKJaXmPLvHcESHA=',
    'identity.sourceIp': '203.0.113.17',
    httpMethod: 'PATCH',
    routeKey: 'PATCH /v1/spaces/{spaceId}/files/{fileId}',
    status: '200',
    responseLatency: '20',
    integrationLatency: '18',
    'error.responseType': '-',
    integrationErrorMessage: '-',
  };
  const filled = format
    .replaceAll(/\n */g, '')
    .trim()
    .replaceAll(/\$context\.([\w.]*\w)/g, (_, name) => values[name] ?? expect.unreachable(name));
  expect(Math.abs(Buffer.byteLength(filled) - ACCESS_LINE_BYTES)).toBeLessThan(20);
});
