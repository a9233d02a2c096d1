import type { Result } from '../runner/result.ts';
import { count } from './summary.ts';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

/** Text for an attribute or an element. What XML 1.0 cannot hold at all becomes U+FFFD. */
export const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replace(/[&<>"\t\n\r]/g, (c) => entities[c] ?? c);

const seconds = (ms: number): string => (ms / 1000).toFixed(3);

const counts = (results: readonly Result[]): string => {
  const { failed, skipped, 'not run': notRun } = count(results);
  return `tests="${results.length}" failures="${failed}" errors="0" skipped="${skipped + notRun}"`;
};

const caseXml = ({ group, name, ms, outcome }: Result): string => {
  const open = `    <testcase classname="${escapeXml(group)}" name="${escapeXml(name)}" time="${seconds(ms)}"`;
  if (outcome.kind === 'passed') return `${open}/>\n`;
  if (outcome.kind !== 'failed')
    return `${open}>\n      <skipped message="${escapeXml(outcome.reason)}"/>\n    </testcase>\n`;
  const { sent, expected, got } = outcome.failure;
  const text = escapeXml(`sent ${sent}\nexpected ${expected}\ngot ${got}`);
  return `${open}>\n      <failure message="got ${escapeXml(got)}">${text}</failure>\n    </testcase>\n`;
};

/** The results as JUnit XML, a suite per group. */
export const toJunit = (results: readonly Result[], totalSeconds: number): string => {
  const suites = [...Map.groupBy(results, ({ group }) => group)].map(([group, own]) => {
    const time = seconds(own.reduce((sum, { ms }) => sum + ms, 0));
    const open = `  <testsuite name="${escapeXml(group)}" ${counts(own)} time="${time}">\n`;
    return `${open}${own.map(caseXml).join('')}  </testsuite>\n`;
  });
  const open = `<testsuites name="conformance" ${counts(results)} time="${totalSeconds.toFixed(3)}">\n`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${open}${suites.join('')}</testsuites>\n`;
};
