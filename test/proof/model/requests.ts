import fc from 'fast-check';
import { anyBody } from './bodies.ts';
import { type IfMatchIntent, ifMatchIntent } from './if-match.ts';
import type { Header, ModelRequest } from './request.ts';

/** A request whose If-Match is filled in when it is sent. */
export type RequestPlan = Omit<ModelRequest, 'ifMatch'> & {
  readonly ifMatch: IfMatchIntent;
  readonly format: '1.0' | '2.0';
};

const good = (sent: string): Header => ({ sent, is: 'good' });
const missing = (sent?: string): Header => ({ sent, is: 'missing' });
const malformed = (sent: string): Header => ({ sent, is: 'malformed' });

const mostly = <Value>(usual: readonly Value[], odd: readonly Value[]) =>
  fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom(...usual) },
    { weight: 1, arbitrary: fc.constantFrom(...odd) },
  );

const user = mostly(
  [good('ada'), good('ada'), good('ada'), good('grace'), good('Ada'), good('ädå')],
  [missing(), missing(''), missing(' \u00a0\u200b'), malformed('ada,ada'), malformed('a'.repeat(129))],
);
const unusualTenant = [missing(), missing('\t'), malformed('acme,acme'), malformed('ac me'), good('initech')];
const unusualKey = [
  missing(),
  missing(''),
  malformed('k'.repeat(513)),
  malformed('editor-key,x'),
  good('none'),
];

/** A key, its tenant and one of its spaces, and now and then what does not belong together. */
const target = fc.oneof(
  { weight: 12, arbitrary: fc.tuple(fc.constantFrom('editor-key', 'admin-key'), fc.constant('acme')) },
  { weight: 2, arbitrary: fc.constant(['globex-key', 'globex'] as const) },
  {
    weight: 2,
    arbitrary: fc.tuple(
      fc.constantFrom('editor-key', 'viewer-key', 'internal-key', 'globex-key'),
      fc.constantFrom('acme', 'globex'),
    ),
  },
);
const ownSpaces: Readonly<Record<string, readonly string[]>> = {
  acme: ['handbook', 'handbook', 'drafts'],
  globex: ['plans'],
};

/** Requests of every kind; most of them could be allowed, so that sequences get somewhere. */
export const requestPlan: fc.Arbitrary<RequestPlan> = target.chain(([key, tenant]) =>
  fc.record({
    apiKey: mostly([good(key)], unusualKey),
    tenant: mostly([good(tenant)], unusualTenant),
    user,
    spaceId: mostly(ownSpaces[tenant] ?? [], ['handbook', 'plans', 'nowhere', '', 's'.repeat(1025), 'f1']),
    fileId: mostly(['f1', 'f1', 'f2'], ['f3', '', 'F1', 'handbook', 'f'.repeat(1025)]),
    body: anyBody,
    ifMatch: ifMatchIntent,
    format: fc.constantFrom('1.0', '2.0'),
  }),
);
