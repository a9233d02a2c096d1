import { expect, test } from 'vitest';
import { readBuildOptions } from '#tools/build.ts';
import { UsageError } from '#tools/cli.ts';
import localPlugin from '#tools/serverless-plugin.ts';

const all = [
  'env-credentials',
  'no-endpoint-discovery',
  'no-event-streams',
  'own-request-handler',
  'own-sha256',
  'primed',
] as const;
const without = (...left: string[]) => all.filter((name) => !left.includes(name));

test.each([
  [[], all],
  [['--code-cache'], [...all, 'code-cache']],
  [['--without', 'primed'], without('primed')],
  [
    ['--without', 'primed', '--without', 'own-request-handler', '--code-cache'],
    [...without('primed', 'own-request-handler'), 'code-cache'],
  ],
])('npm run build -- %j', (args, levers) => {
  expect(readBuildOptions(args)).toEqual({ help: false, levers });
});

test.each([
  [['--without', 'nothing'], `There is no "nothing" to leave out; there is: ${all.join(', ')}.`],
  [['--without', 'code-cache'], `There is no "code-cache" to leave out; there is: ${all.join(', ')}.`],
  [['--nothing'], "Unknown option '--nothing'; npm run build -- --help shows what there is."],
])('%j is one sentence', (args, sentence) => {
  expect(() => readBuildOptions(args)).toThrow(new UsageError(sentence));
});

const packaging = (build: unknown) => {
  const service = { custom: { build } };
  const { hooks } = localPlugin({ classes: { Error }, processedInput: { commands: ['package'] }, service });
  return hooks['before:package:createDeploymentArtifacts']();
};

test('serverless.yml names levers as the command line does', async () => {
  await expect(packaging({ without: ['nothing'], codeCache: false })).rejects.toThrow(
    `There is no "nothing" to leave out; there is: ${all.join(', ')}.`,
  );
});

test.each([[undefined], [{ without: [] }], [{ without: [], codeCache: false, minify: false }]])(
  'custom.build of serverless.yml must be whole: %j',
  async (build) => {
    await expect(packaging(build)).rejects.toThrow('custom.build needs "without" and "codeCache".');
  },
);
