import fc from 'fast-check';
import { type Change, fileChange, keyChange, spaceChange } from '#test/proof/model/changes.ts';
import type { IfMatch, ModelRequest, Patch } from '#test/proof/model/request.ts';

/** A PATCH that runs at the same time as others, on an instance whose clock is off by some milliseconds. */
export type Racer = { readonly request: ModelRequest; readonly clockOff: number };

export type Scenario = { readonly racers: readonly Racer[]; readonly changes: readonly Change[] };

const header = (sent: string) => ({ sent, is: 'good' as const });

const body = (patch: Patch) => ({
  text: JSON.stringify(patch),
  isBase64Encoded: false,
  headers: { 'content-type': 'application/json' },
  means: { patch },
});

const patches = fc.constantFrom<Patch>(
  { summary: 'one' },
  { summary: 'two' },
  { documentKind: 'three' },
  { summary: null },
  { documentKind: null, summary: 'four' },
);

/** The tag of a file that was never written: of several writers with it, one at most may win. */
const ifMatches = fc.constantFrom<IfMatch>(
  { sent: undefined, meets: () => true },
  { sent: undefined, meets: () => true },
  { sent: '*', meets: () => true },
  { sent: '"0"', meets: (version) => version === 0 },
);

const racer = fc
  .record({
    apiKey: fc.constantFrom('editor-key', 'editor-key', 'admin-key'),
    user: fc.constantFrom('ada', 'grace'),
    spaceId: fc.constantFrom('handbook', 'handbook', 'drafts'),
    patch: patches,
    ifMatch: ifMatches,
    clockOff: fc.constantFrom(0, 0, -5, 3),
  })
  .map(({ apiKey, user, spaceId, patch, ifMatch, clockOff }) => ({
    clockOff,
    request: {
      apiKey: header(apiKey),
      tenant: header('acme'),
      user: header(user),
      spaceId,
      fileId: 'f1',
      body: body(patch),
      ifMatch,
    },
  }));

/** One to three PATCHes, and up to four changes of key, space and file, all at the same time. */
export const scenario: fc.Arbitrary<Scenario> = fc.record({
  racers: fc.array(racer, { minLength: 1, maxLength: 3, size: 'max' }),
  changes: fc.array(fc.oneof(keyChange, spaceChange, fileChange, fileChange), { maxLength: 4, size: 'max' }),
});
