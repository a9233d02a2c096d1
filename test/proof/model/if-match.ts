import fc from 'fast-check';
import type { IfMatch } from './request.ts';

/** An If-Match to be, once it is known what is stored and which versions were seen before. */
export type IfMatchIntent = {
  readonly name: string;
  readonly of: (current: number, seen: readonly number[]) => IfMatch;
};

const tag = (version: number) => `"${version}"`;

const fixed = (sent: string | undefined, meets: boolean | 'unreadable'): IfMatchIntent => ({
  name: String(sent),
  of: () => ({ sent, meets: () => meets }),
});

/** Of the versions that are named; what else stands in the header matches nothing. */
const naming = (
  name: string,
  write: (version: number) => string,
  choose: (current: number, seen: readonly number[]) => number = (current) => current,
): IfMatchIntent => ({
  name,
  of: (current, seen) => {
    const version = choose(current, seen);
    return { sent: write(version), meets: (stored) => stored === version };
  },
});

const never = (name: string, write: (version: number) => string): IfMatchIntent => ({
  name,
  of: (current) => ({ sent: write(current), meets: () => false }),
});

const hundred = (last: string) => [...Array.from({ length: 99 }, (_, n) => `"other-${n}"`), last].join(', ');

const current = fc.constantFrom(
  naming('current', tag),
  naming('current, with space around', (version) => ` ${tag(version)}\t`),
  naming('current in a list', (version) => `"other", W/"1" ,, ${tag(version)},`),
  naming('current as the last of 100', (version) => hundred(tag(version))),
  fixed('*', true),
);

const other = fc.oneof(
  fc
    .nat()
    .map((pick) => naming(`seen ${pick}`, tag, (_, seen) => seen[pick % Math.max(1, seen.length)] ?? 1)),
  fc.constantFrom(
    naming('one above', tag, (version) => version + 1),
    never('weak', (version) => `W/${tag(version)}`),
    never('weak list', (version) => `W/${tag(version)}, "x"`),
    never('with a zero before it', (version) => `"0${version}"`),
    never('with a tail', (version) => `"${version}."`),
    fixed('"foreign"', false),
    fixed('""', false),
  ),
);

const unreadable = fc.constantFrom(
  ...['', 'abc', '"open', 'open"', '"a" "b"', '*, "1"', 'w/"1"', ',', '"a b"', hundred('"x", "y"')].map(
    (sent) => fixed(sent, 'unreadable'),
  ),
);

/** All kinds, the ones that let a request through most often. */
export const ifMatchIntent: fc.Arbitrary<IfMatchIntent> = fc.oneof(
  { weight: 10, arbitrary: fc.constant(fixed(undefined, true)) },
  { weight: 5, arbitrary: current },
  { weight: 3, arbitrary: other },
  { weight: 1, arbitrary: unreadable },
);
