import { expect, test } from 'vitest';
import { toJunit } from './output/junit.ts';
import { groupText } from './output/reporter.ts';
import { isFine, summaryText } from './output/summary.ts';
import type { Ending } from './runner/run-suite.ts';
import { exampleResults } from './support/results.ts';

const ending: Ending = { isComplete: true, canPeek: true, filesUsed: 3, leftovers: [] };
const summaryOf = (changes: Partial<Ending>) =>
  summaryText({ results: exampleResults, ending: { ...ending, ...changes }, seconds: 1.26, colour: false });
const [good, bad, left] = exampleResults;

test('results become JUnit XML, escaped, a suite per group', () => {
  expect(toJunit(exampleResults, 1.25)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="conformance" tests="3" failures="1" errors="0" skipped="1" time="1.250">
  <testsuite name="First" tests="2" failures="1" errors="0" skipped="0" time="0.015">
    <testcase classname="First" name="One that passed" time="0.012"/>
    <testcase classname="First" name="One with &quot;&lt;quotes&gt;&quot; &amp; more" time="0.003">
      <failure message="got 500; \ufffd &amp; no more">sent PATCH /a; {&quot;summary&quot;:&quot;&lt;b&gt;&quot;}&#10;expected 200; {&quot;summary&quot;:&quot;&lt;b&gt;&quot;}&#10;got 500; \ufffd &amp; no more</failure>
    </testcase>
  </testsuite>
  <testsuite name="Second" tests="1" failures="0" errors="0" skipped="1" time="0.000">
    <testcase classname="Second" name="One that was skipped" time="0.000">
      <skipped message="the world has nothing for {apiKeys.viewer}"/>
    </testcase>
  </testsuite>
</testsuites>
`);
});

test('a group tells what failed, with what was sent, expected and got', () => {
  expect(groupText(exampleResults.slice(0, 2), false)).toBe(`FAIL  First: 1 passed, 1 failed
       One with "<quotes>" & more
         sent      PATCH /a; {"summary":"<b>"}
         expected  200; {"summary":"<b>"}
         got       500; \u0000 & no more
`);
});

test('a group tells what was skipped, and why; colours come only where they are asked for', () => {
  expect(groupText(exampleResults.slice(2), true)).toBe(`\u001b[33mskip\u001b[0m  Second: 1 skipped
       skipped: One that was skipped: the world has nothing for {apiKeys.viewer}
`);
});

test('the summary tells how the files were left', () => {
  const counts = '\n1 passed, 1 failed, 1 skipped in 1.3 s\n';
  const back = 'The 3 files have their summary and documentKind back.\n';
  expect(summaryOf({})).toBe(counts + back);
  expect(summaryOf({ isComplete: false })).toBe(
    `${counts}The run broke off: nothing can be said of what was not run.\n${back}`,
  );
  expect(summaryOf({ canPeek: false })).toBe(
    `${counts}If-Match tells no etag there, so it was not shown that a refusal leaves the file alone.\n${back}`,
  );
  expect(summaryOf({ leftovers: ['files.basic is odd'] })).toBe(`${counts}files.basic is odd\n`);
});

test('only a whole run in which something passed and nothing failed is fine', () => {
  const passing = [good, left].filter((result) => result !== undefined);
  expect(isFine(passing, ending)).toBe(true);
  expect(
    isFine(
      [...passing, bad].filter((result) => result !== undefined),
      ending,
    ),
  ).toBe(false);
  expect(isFine(passing.slice(1), ending)).toBe(false);
  expect(isFine(passing, { ...ending, isComplete: false })).toBe(false);
  expect(isFine(passing, { ...ending, leftovers: ['x'] })).toBe(false);
});
