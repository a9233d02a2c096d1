import { points, section } from '../markdown.ts';
import { ANCHOR, nameOf, type Results } from '../results.ts';
import { origins } from './origins.ts';

const rules = (anchor: string): readonly string[] => [
  'All variants do the same job: read the request, prove the key, check the space, update the file, answer; both ' +
    'reads strongly consistent, so that a revoked key counts at once. ' +
    'Before anything is timed each of them gets the same good and bad requests, and one for a file that a clock ' +
    'ahead of ours has written; one wrong answer ends the run. ' +
    '(`sdk-only` is exempt: it is our SDK calls and nothing else, to tell what is ours of our own CPU.)',
  '**As written**: as the documentation of the package suggests it, with three calls to DynamoDB in a row, ' +
    'bundled and minified as a careful team would do it. Late retries, garbled replies and the log are left as the ' +
    'package leaves them.',
  '**Equalised**: the package around our own operation, or under it: our two calls, the fence, the checks of what is ' +
    'stored, the log line, our bundler settings and stand-ins. What is left is the package itself. (The writes of ' +
    'ElectroDB and DynamoDB-Toolbox take no If-Match, which no request here has.)',
  'Every value is from a fresh process, and each round takes the variants one after the other, so that whatever ' +
    'else the machine does meets all of them.',
  `Read the ratios: each is to the ${anchor} in the same round of the same run; given are the median of the rounds ` +
    'and the quartiles. Milliseconds are those of one machine on one day.',
];

/** How it was compared, and on what. */
export const fairness = (results: Results): string =>
  section('Is the comparison fair?', [
    points([...rules(nameOf(results, ANCHOR)), ...origins(results)]),
    '`npm run bench` repeats all of it; the raw values are in [bench/results](../bench/results).',
  ]);
