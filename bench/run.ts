// Counts what docs/performance.md says: the instructions of this function, and of the same job written in two other ways.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { build } from 'esbuild';

import { buildBundle, bundleOptions } from '../tools/bundle/bundle.ts';
import { createCertificate } from '../tools/bundle/certificate.ts';
import { respondAsStub } from '../tools/bundle/stub.ts';
import { readArguments, runCommand, UsageError } from '../tools/cli.ts';
import { listen } from '../tools/listen.ts';
import { localFolder, projectRoot } from '../tools/project.ts';

const usage = `Usage: npm run bench -- [options]

Counts the instructions of this function, of an expert's handler, and of one as middy's documentation shows it. It prints
the table and the chart of docs/performance.md. It needs valgrind.

  --check  fails if a ratio is above its limit in bench/run.ts
  --help   show this text
`;

const figures = ['cold start', 'first request', 'warm request'] as const;
type Figure = (typeof figures)[number];
const names = [
  'space-files',
  'space-files, with the code cache',
  "expert's handler",
  'middy as documented',
] as const;
type Name = (typeof names)[number];
const [ours, cached, expert, middy] = names;

/**
 * The most that a figure may be of that of another handler. docs/performance.md says that our cold start takes about half of
 * middy's. A warm request has the widest limit: V8 optimizes at other times in each process, so the same code differs by up
 * to 6 %.
 */
const limits: readonly (readonly [name: Name, figure: Figure, of: Name, limit: number])[] = [
  [ours, 'cold start', expert, 0.9],
  [ours, 'first request', expert, 0.9],
  [ours, 'warm request', expert, 0.85],
  [ours, 'cold start', middy, 0.55],
  [cached, 'cold start', expert, 0.6],
  [cached, 'first request', expert, 0.75],
  [cached, 'warm request', expert, 0.85],
];

/** Before anything is counted, each handler must respond to these events like this. */
const responses = {
  'update-file': [
    200,
    '"summary":"What to do in the first week.","language":"en","documentKind":"checklist"',
  ],
  'field-not-editable': [400, '"message":'],
  'api-key-unknown': [401, '"message":"Invalid API Key"'],
  'space-not-found': [404, '"message":"Space not found"'],
  'file-not-found': [404, '"message":"File not found"'],
} as const;

/** A seed of V8 is a round: counts of one seed differ less than those of two. */
const seeds = [1, 2, 3];
/** A warm request is the mean of as many requests, after as many others. */
const warmRequests = 500;

const folder = join(localFolder, 'bench');

/** Builds each handler. Gives its file. */
const buildAll = async (): Promise<Readonly<Record<Name, string>>> => {
  rmSync(folder, { recursive: true, force: true });
  const [withCache, plain] = [join(folder, 'with-cache'), join(folder, 'plain')];
  await buildBundle(join(withCache, 'update-file.cjs'), true);
  cpSync(withCache, plain, { recursive: true, filter: (path) => !path.endsWith('.cache') });
  // The expert has our options of the build. Only an ES module can wait until it is primed.
  await build({ ...bundleOptions('bench/expert.ts', []), outfile: join(folder, 'expert.cjs') });
  const primed = join(folder, 'expert.mjs');
  writeFileSync(
    primed,
    `import { createRequire } from 'node:module';
const { handler, prime } = createRequire(import.meta.url)('./expert.cjs');
await prime();
export { handler };
`,
  );
  // The options of the AWS Lambda developer guide: https://docs.aws.amazon.com/lambda/latest/dg/typescript-package.html
  const guide = { bundle: true, minify: true, sourcemap: true, platform: 'node', target: 'es2020' } as const;
  const documented = join(folder, 'middy.cjs');
  await build({ ...guide, absWorkingDir: projectRoot, entryPoints: ['bench/middy.ts'], outfile: documented });
  return {
    [ours]: join(plain, 'update-file.mjs'),
    [cached]: join(withCache, 'update-file.mjs'),
    [expert]: primed,
    [middy]: documented,
  };
};

/** Starts a stub of DynamoDB, over TLS as DynamoDB is, and gives the environment of a function that calls it. */
const startStub = async () => {
  const { cert, key } = createCertificate();
  const authority = join(folder, 'authority.pem');
  writeFileSync(authority, cert);
  // A handler that pauses between two calls must find its connection open, as at DynamoDB.
  const server = createServer({ cert, key, keepAliveTimeout: 60_000 }, respondAsStub);
  const endpoint = `https://127.0.0.1:${await listen(server)}`;
  // It does not keep this process running.
  server.unref();
  const tables = { API_KEYS_TABLE: 'api-keys', SPACES_TABLE: 'spaces', FILES_TABLE: 'files' };
  const credentials = { AWS_ACCESS_KEY_ID: 'A', AWS_SECRET_ACCESS_KEY: 'a', AWS_SESSION_TOKEN: 'a' };
  const aws = { AWS_REGION: 'us-east-1', AWS_ENDPOINT_URL_DYNAMODB: endpoint, ...credentials };
  const { PATH } = process.env;
  return { PATH, HOME: '/nonexistent', NODE_EXTRA_CA_CERTS: authority, ...aws, ...tables };
};
type Environment = Awaited<ReturnType<typeof startStub>>;

/** Runs bench/child.cjs with these arguments, and something before them. Gives what is written to stderr. */
const runChild = async (env: Environment, before: readonly string[], ...args: readonly string[]) => {
  const [program = '', ...rest] = [...before, join(import.meta.dirname, 'child.cjs'), ...args];
  const child = spawn(program, rest, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const [printed, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  if (code !== 0) throw new Error(`${args}: ${printed.slice(-2_000)}`);
  return printed;
};

const cachegrind = ['valgrind', '--tool=cachegrind', '--cache-sim=no', '--cachegrind-out-file=/dev/null'];
/** By chance, a garbage collection would fall into a start or not. A mean of warm requests has all of theirs. */
const withoutCollection = ['--min-semi-space-size=32', '--no-memory-reducer'];

/** The millions of instructions of a process that loads a file, if any, and sends it so many requests. */
const count = async (
  env: Environment,
  seed: number,
  requests: number,
  file: string,
  options = withoutCollection,
) => {
  const before = [...cachegrind, process.execPath, `--random-seed=${seed}`, ...options];
  const printed = await runChild(env, before, file, `${requests}`);
  const [, refs = ''] = /I +refs: +([\d,]+)/.exec(printed) ?? [];
  if (refs === '') throw new Error(`valgrind has counted nothing: ${printed}`);
  return Number(refs.replaceAll(',', '')) / 1_000_000;
};

/** Counts the figures of a handler. Lambda loads it before a caller waits for its first request. */
const measure = async (env: Environment, seed: number, name: Name, file: string) => {
  const empty = await count(env, seed, 0, '');
  const loaded = await count(env, seed, 0, file);
  const started = await count(env, seed, 1, file);
  const some = await count(env, seed, warmRequests, file, []);
  const more = await count(env, seed, 2 * warmRequests, file, []);
  return {
    name,
    'cold start': started - empty,
    'first request': started - loaded,
    'warm request': (more - some) / warmRequests,
  } satisfies Record<Figure | 'name', unknown>;
};

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;

await runCommand(usage, async () => {
  const { check } = readArguments({ options: { check: { type: 'boolean', default: false } } }).values;
  if (spawnSync('valgrind', ['--version']).error)
    throw new UsageError('Install valgrind. It counts the instructions.');
  const files = await buildAll();
  const env = await startStub();
  for (const name of names)
    for (const [event, [status, body]] of Object.entries(responses))
      await runChild(env, [process.execPath], files[name], '1', event, `${status}`, body);

  const samples: Awaited<ReturnType<typeof measure>>[] = [];
  // All handlers of a round run at the same time, so other work of the machine affects them alike.
  for (const seed of seeds)
    samples.push(...(await Promise.all(names.map((name) => measure(env, seed, name, files[name])))));
  const countOf = (name: Name, figure: Figure) =>
    median(samples.filter((sample) => sample.name === name).map((sample) => sample[figure]));
  const ratio = (name: Name, figure: Figure, of: Name = expert) =>
    countOf(name, figure) / countOf(of, figure);

  const rows = names.map((name) => [
    name,
    ...figures.map((figure) => `${countOf(name, figure).toPrecision(3)} ×${ratio(name, figure).toFixed(2)}`),
  ]);
  const starts = names.map((name) => ratio(name, 'cold start').toFixed(2));
  const machine = `${cpus()[0]?.model.trim()}, ${availableParallelism()} cores, Node ${process.versions.node}`;
  process.stdout.write(`| millions of instructions, and the ratio to the expert's | ${figures.join(' | ')} |
|---|--:|--:|--:|
${rows.map((row) => `| ${row.join(' | ')} |`).join('\n')}

Counted by \`npm run bench\` in ${seeds.length} rounds on ${new Date().toISOString().slice(0, 10)}: ${machine}.

\`\`\`mermaid
xychart-beta horizontal
  title "Instructions of a cold start, as a ratio to the expert's"
  x-axis [${names.map((name, at) => `"${name} ×${starts[at]}"`).join(', ')}]
  y-axis 0 --> 2
  bar [${starts.join(', ')}]
\`\`\`
`);
  const problems = limits
    .map(([name, figure, of, limit]) => ({ name, figure, of, limit, actual: ratio(name, figure, of) }))
    .filter(({ actual, limit }) => !(actual <= limit))
    .map(({ name, figure, of, limit, actual }) => {
      return `${name}: a ${figure} is ×${actual.toFixed(3)} of that of ${of}. The limit is ×${limit}.`;
    });
  if (check && problems.length > 0) throw new UsageError(problems.join('\n'));
});
