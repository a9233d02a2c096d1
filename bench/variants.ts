import type { BuildOptions } from 'esbuild';
import { asWrittenOptions, equalisedOptions, unbundledOptions } from './build-options.ts';
import type { Variant } from './types.ts';

/** What is built into one variant, and how. */
export type Recipe = Pick<Variant, 'id' | 'name' | 'kind' | 'form'> & {
  /** Path from the project's folder. */
  readonly entry: string;
  readonly options: BuildOptions;
};

const peerNames: Readonly<Record<string, string>> = {
  powertools: 'Powertools event handler',
  hono: 'Hono',
  express: 'Express + serverless-http',
  'lambda-api': 'Lambda API',
  'aws-lite': 'aws-lite',
  'dynamodb-toolbox': 'DynamoDB-Toolbox',
  electrodb: 'ElectroDB',
};

/** What a package itself says to leave out of a bundle: the file helpers of Lambda API alone need S3. */
const external: Readonly<Record<string, string[]>> = {
  'lambda-api': ['@aws-sdk/client-s3', '@aws-sdk/s3-request-presigner'],
};

const peerVariants = (): Recipe[] =>
  Object.entries(peerNames).flatMap(([id, name]) => [
    {
      id,
      name,
      kind: 'peer',
      form: 'as written',
      entry: `bench/peers/${id}/as-written.ts`,
      options: { ...asWrittenOptions(), external: external[id] ?? [] },
    },
    {
      id: `${id}-equalised`,
      name: `${name}, equalised`,
      kind: 'peer',
      form: 'equalised',
      entry: `bench/peers/${id}/equalised.ts`,
      options: { ...equalisedOptions(), external: external[id] ?? [] },
    },
  ]);

const plain = { form: 'as written', entry: 'bench/peers/plain/as-written.ts' } as const;

const anchorVariants = (): Recipe[] => [
  { id: 'plain', name: 'plain handler', kind: 'anchor', ...plain, options: asWrittenOptions() },
  {
    id: 'plain-unbundled',
    name: 'plain handler, not bundled',
    kind: 'peer',
    ...plain,
    options: unbundledOptions(),
  },
];

const boundVariants = (): Recipe[] => [
  {
    id: 'floor',
    name: 'floor: no SDK',
    kind: 'bound',
    form: 'as written',
    entry: 'bench/peers/floor/as-written.ts',
    options: asWrittenOptions(),
  },
  {
    id: 'sdk-only',
    name: 'our two calls alone',
    kind: 'bound',
    form: 'equalised',
    entry: 'bench/peers/sdk-only/equalised.ts',
    options: equalisedOptions(),
  },
];

/** What is built beside ours: everything, or for a quick run everything but the equalised peers. */
export const recipes = ({ quick }: { quick: boolean }): Recipe[] =>
  [...anchorVariants(), ...peerVariants(), ...boundVariants()].filter(
    ({ kind, form }) => !(quick && kind === 'peer' && form === 'equalised'),
  );
