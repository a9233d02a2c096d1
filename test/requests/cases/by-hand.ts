import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import * as z from 'zod';
import { projectRoot } from '#tools/project.ts';
import demo from '#tools/tables/demo-data.json' with { type: 'json' };
import { aCase, type Case, type Expected, invalid, rejected, type Stored, updated } from './case.ts';

const [onboarding, , roadmap, , lastVersion] = demo.files;
const week = 'What to do in the first week.';

/** What each event of events/ gets on the demo data, as `npm start` stores it. */
const responses: Readonly<Record<string, Expected>> = {
  'api-key-unknown': rejected('api-key-invalid', 'key is unknown'),
  'body-not-json': rejected('body-not-json'),
  cleared: updated(null, 'guide'),
  'field-not-editable': invalid('Field "id" is not editable'),
  'file-not-found': rejected('file-not-found'),
  'file-not-found-rest': rejected('file-not-found'),
  'internal-error': {
    ...rejected('internal-error', 'file record does not fit: version: too_big'),
    log: { conflicts: 1, versionAheadMs: expect.any(Number) },
  },
  'patch-empty': rejected('patch-empty'),
  'permission-viewer': rejected('permission-denied', 'no role of the key grants files:update'),
  'set-and-cleared': updated(week, null),
  'space-not-found': rejected('space-not-found'),
  'update-file': updated(week, 'checklist'),
  'updated-idempotency-key': { ...updated(week, 'guide'), mark: 'XfjB9HHJr1p.u6Jd4TalAJu' },
  'updated-if-match': updated(null, 'plan'),
  'updated-rest': updated(week, 'checklist'),
  'user-id-missing': rejected('user-id-missing'),
};
/** The file that an event is about, if it is not the first one. */
const about: Readonly<Record<string, Stored | undefined>> = {
  'internal-error': lastVersion,
  'updated-if-match': roadmap,
};

/** What the log has of an event. */
const EventSchema = z.object({
  headers: z.record(z.string(), z.string()),
  pathParameters: z.object({ spaceId: z.string(), fileId: z.string() }),
  requestContext: z.object({ requestId: z.string() }),
});

/** The events of events/. A name with `-rest` is an event of a REST API. */
export const byHand: readonly Case[] = Object.entries(responses).map(([name, expected]) => {
  const path = `events/${name}.json`;
  const event: unknown = JSON.parse(readFileSync(join(projectRoot, path), 'utf8'));
  const { headers, pathParameters, requestContext } = EventSchema.parse(event);
  const sent = { event, headers, space: pathParameters.spaceId, file: pathParameters.fileId };
  const log = { gatewayRequestId: requestContext.requestId, ...expected.log };
  return aCase(path, [[sent, { ...expected, log }]], {
    only: name.endsWith('-rest') ? '1.0' : '2.0',
    stored: about[name] ?? onboarding ?? {},
  });
});
