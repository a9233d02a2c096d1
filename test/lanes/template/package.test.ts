import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { parse } from 'yaml';
import { expectNone } from '#test/support/pages.ts';
import { bareEnvironment, run } from '#test/support/processes.ts';
import { readTableNames } from '#tools/tables/environment.ts';
import { packageService } from './setup.ts';

const folder = join(inject('packages'), 'prod');

/** The names in the directory of a zip. The zip itself would be printed by a test that fails. */
const namesIn = (zip: Buffer): readonly string[] =>
  zip
    .toString('latin1')
    .split('PK\u0001\u0002')
    .slice(1)
    .map((entry) => entry.slice(42, 42 + entry.charCodeAt(24)));
// What else lies in the folder can be secret, and is read by whoever may read the code. Every cold start would download the map:
// the runbook needs it to find a line of code.
test('the zip contains the bundle alone, and the source map is beside it', () => {
  expect(readdirSync(folder)).toContainEqual(expect.stringMatching(/^update-file\.cjs\.[0-9a-f]{16}\.map$/));
  const names = namesIn(readFileSync(join(folder, 'space-files.zip')));
  expect(names).toContain('dist/update-file.cjs');
  const others = names.filter((name) => !/^dist\/(?:[\w-]+\.[cm]js|LICENSES\.txt)$/.test(name));
  expectNone(others, 'serverless.yml: package.patterns let into the zip');
});

const warning = 'Nobody gets the alarms of this stage: set alarmEmail or alarmTopic.\n';
test.each([
  ['dev', false],
  ['prod', true],
])('serverless package warns that nobody gets the alarms of %s: %s', (stage, isWarned) => {
  expect(inject('printed')[stage]?.includes(warning)).toBe(isWarned);
});

test.each(['alarmEmail=on-call@example.com', 'alarmTopic=arn:aws:sns:eu-west-1:123456789012:alarms'])(
  'serverless package does not warn with %s',
  async (param) => {
    const { code, stderr } = await packageService(inject('copy'), '--stage', 'staging', '--param', param);
    expect([code, stderr.includes(warning)]).toEqual([0, false]);
  },
);

// A stage that people rely on can have any name but dev.
test('a stage of another name gets the warning, and a param can end its protection', async () => {
  const options = ['--stage', 'pr-7', '--param', 'deletionProtection=false'];
  const { code, stderr } = await packageService(inject('copy'), ...options);
  const state = readFileSync(join(inject('copy'), '.serverless', 'serverless-state.json'), 'utf8');
  const { deletionProtection } = JSON.parse(state).service.provider;
  expect({ code, isWarned: stderr.includes(warning), deletionProtection }).toEqual({
    code: 0,
    isWarned: true,
    deletionProtection: false,
  });
});

test('serverless package rejects unknown params and impossible values', async () => {
  const wrong = [
    'filesTabel=x',
    'throttlingRate=abc',
    'throttlingBurst=1.5',
    'reservedConcurrency=-2',
    'createTables=no',
  ];
  // Their names do not change: docs/contract.md, Versions.
  const params = [
    'throttlingRate, throttlingBurst, disableDefaultEndpoint, reservedConcurrency, tracing, codeCache, apiKeysTable,',
    'spacesTable, filesTable, createTables, tablesKeyArn, logRetentionInDays, alarmEmail, alarmTopic, runbook,',
    'deletionProtection',
  ];
  const problems = [
    `There is no param filesTabel. The params are ${params.join(' ')}.`,
    'throttlingRate must be a whole number.',
    'throttlingBurst must be a whole number.',
    'reservedConcurrency must be a whole number, or -1.',
    'CreateTables must be true or false.',
  ];
  const { code, stdout } = await packageService(
    inject('copy'),
    ...wrong.flatMap((param) => ['--param', param]),
  );
  expect(code).toBe(1);
  expect(stdout).toContain(problems.join('\n'));
});

// It would take what lies in dist/, and no rollback would know of it. It fails before it looks for credentials.
test.each([
  ['deploy', []],
  ['rollback', ['--function-version', '1']],
])('serverless %s function is rejected', async (command, options) => {
  const script = ['node_modules/serverless/bin/serverless.js', command, 'function', '-f', 'updateFile'];
  const { code, stdout } = await run([...script, ...options], bareEnvironment(), inject('copy'));
  const problem = `serverless ${command} function changes a function outside of its stack.`;
  expect([code, stdout]).toEqual([
    1,
    expect.stringContaining(`${problem} Run serverless ${command} instead.`),
  ]);
});

// CloudFormation would create other resources first, and then remove them again. The framework checks the form of a stage.
const longStage = 'a'.repeat(42);
test.each([
  [
    'the stage',
    ['--stage', longStage],
    `FunctionName space-files-${longStage}-updateFile must have 1 to 64 letters, digits, - and _.`,
  ],
  [
    'a param',
    ['--param', 'filesTable=my files'],
    'TableName my files must have 3 to 255 letters, digits, -, _ and dots.',
  ],
])('serverless package rejects %s if AWS would reject a name', async (_, options, problem) => {
  const { code, stdout } = await packageService(inject('copy'), ...options);
  expect(code).toBe(1);
  expect(stdout).toContain(`${problem} Choose another stage, or another param.\n`);
});

test('the template for SAM has the function of the package, and the tables of npm start', async () => {
  const { stdout } = await run(['tools/bundle/sam-template.ts']);
  const { CodeUri, Environment, Events, ...ofSam } = parse(stdout).Resources.UpdateFile.Properties;
  const endpoint = { AWS_ENDPOINT_URL_DYNAMODB: { Ref: 'Endpoint' } };
  expect(Environment.Variables).toEqual({ ...readTableNames(), ...endpoint });
  const file = join(folder, 'cloudformation-template-update-stack.json');
  const { Resources } = JSON.parse(readFileSync(file, 'utf8'));
  expect(Resources.UpdateFileLambdaFunction.Properties).toMatchObject(ofSam);
  expect(Events.Http.Properties).toEqual({
    Method: 'PATCH',
    Path: '/v1/spaces/{spaceId}/files/{fileId}',
    PayloadFormatVersion: '2.0',
  });
});
