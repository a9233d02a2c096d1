import { beforeAll, describe, expect, test } from 'vitest';
import { exhaust } from './explore.ts';
import { type PlantedBug, plant } from './plant.ts';
import { describeViolation } from './report.ts';
import { type ScenarioName, scenario } from './scenarios.ts';

const retry = 'lib/store/retry.ts';
const update = 'lib/store/update-file.ts';
const expression = 'lib/store/update-expression.ts';
const handler = 'handlers/update-file.ts';

const unknownCounts = 'if (outcomeUnknown) throw';
const isUnknown = 'outcomeUnknown ||= isOutcomeUnknown(error);';
const condition = "[fileExists, versionIsNewer, ...match.conditions].join(' AND ')";
const threeWriters = 'three writers of two fields, one fault';
const clockBehind = 'a writer with If-Match whose clock is behind, and another, one fault';
const clocksApart = 'two writers, clocks 60 s apart, two faults';

/** A bug, the search that finds it, and what it changes: pairs of file and code, and the code instead. */
const bugs: readonly [bug: string, foundBy: ScenarioName, ...changes: PlantedBug[]][] = [
  [
    'a plain SET, without a condition on the version',
    threeWriters,
    { file: expression, code: condition, bug: "[fileExists, ...match.conditions].join(' AND ')" },
  ],
  [
    'a rejection after an unknown outcome is sent again, as before the rule',
    threeWriters,
    { file: update, code: unknownCounts, bug: "if (outcomeUnknown && precondition.kind !== 'none') throw" },
  ],
  [
    'a timed-out attempt counts as not applied',
    threeWriters,
    {
      file: retry,
      code: isUnknown,
      bug: "outcomeUnknown ||= isOutcomeUnknown(error) && error.name !== 'TimeoutError';",
    },
  ],
  [
    'an attempt answered with a 5xx counts as not applied',
    threeWriters,
    {
      file: retry,
      code: isUnknown,
      bug: 'outcomeUnknown ||= isOutcomeUnknown(error) && !(error.$metadata?.httpStatusCode >= 500);',
    },
  ],
  [
    'only the last attempt counts',
    clocksApart,
    { file: retry, code: isUnknown, bug: 'outcomeUnknown = isOutcomeUnknown(error);' },
  ],
  [
    '412 after an unknown outcome',
    clockBehind,
    {
      file: update,
      code: unknownCounts,
      bug: 'if (outcomeUnknown && (!stored || matches(precondition, stored.version))) throw',
    },
  ],
  [
    '404 after an unknown outcome',
    'two writers, the file deleted and created again, one fault',
    { file: update, code: unknownCounts, bug: 'if (outcomeUnknown && stored) throw' },
  ],
  [
    '413 after an unknown outcome',
    'two writers whose summary and kind are too large together, one fault',
    { file: update, code: unknownCounts, bug: "if (outcomeUnknown && result.kind !== 'too-large') throw" },
  ],
  [
    'the version is not raised after a conflict',
    clocksApart,
    { file: update, code: 'storedVersion = stored.version;', bug: '' },
  ],
  [
    'the version clock ignores the stored version',
    clocksApart,
    { file: update, code: 'return Math.max(last, storedVersion + 1);', bug: 'return last;' },
  ],
  [
    'the own request id is ignored',
    'one writer alone succeeds, two faults',
    {
      file: update,
      code: 'stored?.requestId === requestId)',
      bug: "stored?.requestId === requestId && result.kind === 'applied')",
    },
  ],
  [
    'a retry has a request id of its own',
    'one writer alone succeeds, two faults',
    {
      file: update,
      code: 'retry((signal) => writeFile(write, signal), context)',
      bug: 'retry((signal) => writeFile({ ...write, metadata: { ...metadata, requestId: (context.last = requestId + Math.random()) } }, signal), context)',
    },
    { file: update, code: 'stored?.requestId === requestId)', bug: 'stored?.requestId === context.last)' },
  ],
  [
    'If-Match is checked by the first write only',
    clockBehind,
    {
      file: update,
      code: 'const write = { spaceId, fileId, patch, metadata, precondition };',
      bug: "const write = { spaceId, fileId, patch, metadata, precondition: conflicts > 0 ? { kind: 'none' } : precondition };",
    },
    {
      file: update,
      code: 'if (!matches(precondition, stored.version))',
      bug: 'if (conflicts === 0 && !matches(precondition, stored.version))',
    },
  ],
  [
    'If-Match is not part of the condition',
    'two writers with If-Match, one fault',
    { file: expression, code: condition, bug: "[fileExists, versionIsNewer].join(' AND ')" },
  ],
  [
    'a write creates a file that is not there',
    'two writers, the file deleted and created again, one fault',
    { file: expression, code: condition, bug: "[versionIsNewer, ...match.conditions].join(' AND ')" },
  ],
  [
    'the response of another item is accepted',
    'two writers, one fault of any kind',
    {
      file: update,
      code: 'if (stored && (stored.spaceId !== spaceId || stored.fileId !== fileId))',
      bug: 'if (false)',
    },
    {
      file: update,
      code: 'if (stored?.requestId === requestId)',
      bug: "if (stored?.requestId === requestId || result.kind === 'applied')",
    },
  ],
  [
    'the access records of another request are accepted',
    'a key revoked, a space made private and its owner changed during the access read, one fault',
    {
      file: 'lib/store/read-access.ts',
      code: 'expectRequested(access.apiKey.keyHash === keyHash)',
      bug: 'expectRequested(true)',
    },
  ],
  [
    'access data is cached',
    'a key revoked and a space made private between two requests of one process',
    { file: handler, code: 'const access = await', bug: 'const access = deps.cached ??= await' },
  ],
  [
    'the deadline is ignored',
    'one writer whose messages are lost until its deadline',
    { file: retry, code: 'const left = context.deadline - uptime();', bug: 'const left = Infinity;' },
    {
      file: 'lib/http/create-handler.ts',
      code: 'await withTimeout(ms, () => operation(request), environment)',
      bug: 'await operation(request)',
    },
  ],
  [
    'an attempt is aborted but not raced',
    'one writer alone succeeds, two faults',
    { file: 'lib/context.ts', code: 'reject(timeout);', bug: '' },
  ],
  [
    'unknown reads count as unknown writes',
    'a writer whose clock is behind, two faults of its read and its write',
    {
      file: retry,
      code: 'return { result, outcomeUnknown };',
      bug: 'return { result, outcomeUnknown: context.retryStats.retries > 0 };',
    },
  ],
  [
    'a throttled attempt counts as unknown',
    'a writer whose clock is behind, two faults of its read and its write',
    { file: retry, code: isUnknown, bug: 'outcomeUnknown = true;' },
  ],
];

describe('a search finds', { timeout: 120_000 }, () => {
  beforeAll(() => {
    Error.stackTraceLimit = 0;
    // Each copy of the code listens to it.
    process.stdout.setMaxListeners(0);
  });

  test.each(bugs.map(([name, ...rest]) => ({ name, rest })))('$name', async ({ name, rest }) => {
    const [scenarioName, ...planted] = rest;
    const operation = await plant(name, planted);
    const { first, schedules } = await exhaust(scenario(scenarioName), operation, { stopAtFirst: true });
    if (!first) expect.fail(`not found in ${schedules} schedules`);
    expect(await describeViolation(first, operation)).toContain('repeat: SCHEDULE=');
  });
});
