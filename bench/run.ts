// Counts what docs/performance.md says: the instructions of this function, and of the same job written in two other ways.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { build } from 'esbuild';
import { buildBundle, bundleOptions } from '../tools/bundle/bundle.ts';
import { respondAsStub } from '../tools/bundle/stub.ts';
import { readArguments, runCommand, UsageError } from '../tools/cli.ts';
import { listen } from '../tools/listen.ts';
import { localFolder, projectRoot } from '../tools/project.ts';

const usage = `Usage: npm run bench -- [options]

Counts the instructions of this function, of an expert's handler, and of one as middy's documentation shows it. It prints
the table and the chart of docs/performance.md. It needs valgrind and openssl.

  --check  one round; fails if a ratio is above its limit in bench/run.ts
  --help   show this text
`;

const figures = ['cold start', 'first request', 'warm request'];
/** The most that each of them may be of the expert's. One round of a first request differs from another by up to 12 %. */
const limits: Readonly<Record<string, readonly number[]>> = {
  'space-files': [0.9, 0.9, 0.75],
  'space-files, with the code cache': [0.6, 0.75, 0.75],
};

/** Each handler must respond like this before it is measured. */
const statuses = {
  'update-file': 200,
  'field-not-editable': 400,
  'api-key-unknown': 401,
  'space-not-found': 404,
  'file-not-found': 404,
};

const folder = join(localFolder, 'bench');
const expert = "expert's handler";

/** Builds each handler. Gives its file by its name. */
const buildAll = async () => {
  rmSync(folder, { recursive: true, force: true });
  const [cached, plain] = [join(folder, 'cached'), join(folder, 'plain')];
  await buildBundle(join(cached, 'update-file.cjs'), true);
  cpSync(cached, plain, { recursive: true, filter: (path) => !path.endsWith('.cache') });
  // The expert has our options of the build. Only an ES module can wait until it is primed.
  await build({ ...bundleOptions('bench/expert.ts', []), outfile: join(folder, 'expert.cjs') });
  const primed = join(folder, 'expert.mjs');
  const entry = "import bundle from './expert.cjs'; await bundle.prime(); export const { handler } = bundle;";
  writeFileSync(primed, entry);
  // As in the AWS Lambda developer guide: https://docs.aws.amazon.com/lambda/latest/dg/typescript-package.html
  const middy = join(folder, 'middy.cjs');
  const command = 'bench/middy.ts --bundle --minify --sourcemap --platform=node --target=es2020';
  const esbuild = join(projectRoot, 'node_modules', '.bin', 'esbuild');
  execFileSync(esbuild, [...command.split(' '), `--outfile=${middy}`], { cwd: projectRoot, stdio: 'ignore' });
  return {
    'space-files': join(plain, 'update-file.mjs'),
    'space-files, with the code cache': join(cached, 'update-file.mjs'),
    [expert]: primed,
    'middy as documented': middy,
  };
};

/** Starts a stub of DynamoDB, over TLS as DynamoDB is, and gives the environment of a function that calls it. */
const startStub = async () => {
  const command = 'req -x509 -nodes -newkey ec -pkeyopt ec_paramgen_curve:P-256 -subj /CN=stub';
  const files = '-addext subjectAltName=IP:127.0.0.1 -keyout key.pem -out cert.pem';
  execFileSync('openssl', `${command} ${files}`.split(' '), { cwd: folder, stdio: 'ignore' });
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  // A handler that pauses between two calls must find its connection open, as at DynamoDB.
  const options = { key: readFileSync(keyFile), cert: readFileSync(certFile), keepAliveTimeout: 60_000 };
  const server = createServer(options, respondAsStub);
  const endpoint = `https://127.0.0.1:${await listen(server)}`;
  server.unref();
  const tables = { API_KEYS_TABLE: 'api-keys', SPACES_TABLE: 'spaces', FILES_TABLE: 'files' };
  const credentials = { AWS_ACCESS_KEY_ID: 'A', AWS_SECRET_ACCESS_KEY: 'a', AWS_SESSION_TOKEN: 'a' };
  const aws = { AWS_REGION: 'us-east-1', AWS_ENDPOINT_URL_DYNAMODB: endpoint, ...credentials };
  const { PATH } = process.env;
  return { PATH, HOME: '/nonexistent', NODE_EXTRA_CA_CERTS: certFile, ...aws, ...tables };
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
/** By chance, a garbage collection would fall into a start or not. */
const withoutCollection = ['--min-semi-space-size=32', '--no-memory-reducer'];
const warmRequests = 200;

/** The millions of instructions of a handler. A seed of V8 is a round: counts of one seed differ less than those of two. */
const measure = async (env: Environment, file: string, seed: number) => {
  const count = async (times: number, ofFile = file, options = withoutCollection) => {
    const before = [...cachegrind, process.execPath, `--random-seed=${seed}`, ...options];
    const [, refs = ''] = /I +refs: +([\d,]+)/.exec(await runChild(env, before, ofFile, `${times}`)) ?? [];
    if (refs === '') throw new Error('valgrind has counted nothing.');
    return Number(refs.replaceAll(',', '')) / 1_000_000;
  };
  const [empty, loaded, started] = [await count(0, ''), await count(0), await count(1)];
  const [some, more] = [await count(warmRequests, file, []), await count(2 * warmRequests, file, [])];
  // Lambda loads the function before a caller waits for its first request.
  return [started - empty, started - loaded, (more - some) / warmRequests] as const;
};

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

await runCommand(usage, async () => {
  const { check } = readArguments({ options: { check: { type: 'boolean', default: false } } }).values;
  const handlers = Object.entries(await buildAll());
  const env = await startStub();
  for (const [, file] of handlers)
    for (const [event, status] of Object.entries(statuses))
      await runChild(env, [process.execPath], file, '1', event, `${status}`);

  const rounds: (readonly (readonly number[])[])[] = [];
  for (const seed of check ? [1] : [1, 2, 3])
    rounds.push(await Promise.all(handlers.map(([, file]) => measure(env, file, seed))));
  const medians = handlers.map(([name], handler) => ({
    name,
    counts: figures.map((_, at) => median(rounds.map((round) => round[handler]?.[at] ?? 0))),
  }));
  const base = medians.find(({ name }) => name === expert)?.counts ?? [];
  const rows = medians.map(({ name, counts }) => ({
    name,
    counts,
    ratios: counts.map((count, at) => count / (base[at] ?? 0)),
  }));
  const cells = ({ counts, ratios }: (typeof rows)[number]) =>
    counts.map((count, at) => `${count.toPrecision(3)} ×${ratios[at]?.toFixed(2)}`);
  const starts = rows.map(({ name, ratios: [ratio = 0] }) => ({ name, ratio: ratio.toFixed(2) }));
  process.stdout.write(`| | ${figures.join(' | ')} |
|---|--:|--:|--:|
${rows.map((row) => `| ${[row.name, ...cells(row)].join(' | ')} |`).join('\n')}

\`\`\`mermaid
xychart-beta horizontal
  title "Instructions of a cold start, as a ratio to the expert's"
  x-axis [${starts.map(({ name, ratio }) => `"${name} ×${ratio}"`).join(', ')}]
  y-axis 0 --> 2
  bar [${starts.map(({ ratio }) => ratio).join(', ')}]
\`\`\`
`);
  const tooMany = rows.flatMap(({ name, ratios }) =>
    ratios.flatMap((ratio, at) =>
      ratio > (limits[name]?.[at] ?? Infinity) ? `${name}: ${figures[at]}` : [],
    ),
  );
  if (check && tooMany.length > 0) throw new UsageError(`Above its limit:\n${tooMany.join('\n')}`);
});
