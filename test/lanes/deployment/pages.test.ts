import { hash, randomUUID } from 'node:crypto';
import { appendFileSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { startListening } from '#test/engine/dynamodb-local.ts';
import { startFunction } from '#test/lanes/bundle/lambda-function.ts';
import { bareEnvironment, copyProject, execute, temporaryFolder } from '#test/support/processes.ts';
import { findOnPath } from '#tools/dev-server/engine.ts';
import { startGateway } from '#tools/dev-server/gateway.ts';
import { projectRoot } from '#tools/project.ts';

const pages = ['operations.md', 'deploy.md', 'deploy-from-github.md']
  .map((name) => readFileSync(join(projectRoot, 'docs', name), 'utf8'))
  .join('');
/** Each heading of these pages, and the text below it. */
const sections = pages
  .split(/^(?=#+ )/m)
  .map((section) => ({ heading: /^#+ (.*)/.exec(section)?.[1], text: section.replace(/^.*/, '') }));
const sectionOf = (heading: string): string => {
  const [section, ...others] = sections.filter((one) => one.heading === heading);
  if (section === undefined || others.length > 0)
    throw new Error(`${heading} is not the heading of one section`);
  return section.text;
};
const blocks = /(?<=\n\n)(?: {4,}.*\n)+/g;
const followed = new Set<string>();
/** Sections with commands that this test does not run. */
const notFollowed = () =>
  sections.flatMap(({ heading = '', text }) =>
    followed.has(heading) || !text.match(blocks) ? [] : [heading],
  );
/**
 * The commands of a section, in the order of what each one has. Throws if the section has another command: this test would
 * not run it.
 */
const commandsOf = (heading: string, ...parts: readonly string[]): string[] => {
  followed.add(heading);
  const code = [...sectionOf(heading).matchAll(blocks)].join('').replaceAll(/\\\n */g, '');
  const left = code.trim().split(/\n */);
  const commands = parts.map((part) => {
    const at = left.findIndex((command) => command.includes(part));
    if (at === -1) throw new Error(`The section ${heading} lacks a command with: ${part}`);
    return left.splice(at, 1).join();
  });
  if (left.length > 0) throw new Error(`Run this command of the section ${heading} here too: ${left}`);
  return commands;
};

/** A command with values in place of each `…`. */
const fill = (command: string, ...values: readonly string[]): string => {
  const left = [...values];
  const filled = command
    .replace('https://…', '$CONTRACT_URL')
    .replaceAll('…', () => left.shift() ?? expect.unreachable());
  expect(left).toEqual([]);
  return filled;
};
/** The text of a fenced block of JSON in a section. */
const jsonOf = (heading: string) => /```json\n(.*?)```/s.exec(sectionOf(heading))?.[1] ?? '';

/** What moto says that it does not support. This test shows nothing of it. */
const unsupported = [
  'AWS::ApiGatewayV2::Api',
  'AWS::ApiGatewayV2::Integration',
  'AWS::ApiGatewayV2::Route',
  'AWS::ApiGatewayV2::Stage',
  'AWS::CloudWatch::Alarm',
  'AWS::Logs::MetricFilter',
  'AWS::Logs::QueryDefinition',
  'AWS::S3::BucketPolicy',
  'AWS::SNS::Subscription',
];
/** moto takes each warning of cfn-lint for an error, here W3005: the framework writes dependencies that are implied. */
const plugin = `module.exports = function ({ service }) { return { hooks: {
  'after:aws:package:finalize:mergeCustomProviderResources': () => {
    const { Resources } = service.provider.compiledCloudFormationTemplate;
    for (const resource of Object.values(Resources)) delete resource.DependsOn;
  },
} } };`;
/** The lines below `params: prod:`, from docs/deploy.md. */
const [, pageParams = ''] = /^ *params:\n *prod:\n((?: {7}.*\n)+)/m.exec(sectionOf('Deploy')) ?? [];
/** moto cannot leave out a policy (AWS::NoValue): with tracing and a key for the tables, the role has all of them. */
const tablesKeyArn = 'arn:aws:kms:eu-west-1:123456789012:key/own';
const params = { ...parse(pageParams), tracing: 'Active', tablesKeyArn };

/**
 * moto with two changes. It answers one request at a time: of two conditional writes at once, each of which excludes the
 * other, it applies both. And each update of a function sets LastModified, which the framework compares with its uploads.
 */
const changedMoto = `import sys, moto.server as server
from datetime import datetime, timezone
from moto.awslambda.models import LambdaFunction
run = server.run_simple
server.run_simple = lambda *given, **options: run(*given, **{**options, 'threaded': False})
def touching(update):
    def updated(function, *given, **options):
        function.last_modified = datetime.now(timezone.utc).strftime('%Y-%m-%dT%H:%M:%S.000+0000')
        return update(function, *given, **options)
    return updated
for name in ['update_function_code', 'update_configuration']:
    setattr(LambdaFunction, name, touching(getattr(LambdaFunction, name)))
server.main(sys.argv[1:])`;

const missing = ['python3', 'moto_server', 'aws'].filter((program) => findOnPath(program) === undefined);

test('the pages of operations and deployment can be followed, from the first deployment to the last', async () => {
  if (missing.length > 0) throw new Error(`Not installed: ${missing.join(', ')}. Run .ci/run deployment.`);
  const moto = await startListening((port) => ['python3', '-c', changedMoto, '-p', port]);
  onTestFinished(moto.stop);
  let log = '';
  moto.stderr.on('data', (chunk) => {
    log += chunk;
  });
  const folder = temporaryFolder();
  onTestFinished(folder.remove);
  const home = folder.path;
  const copy = join(home, 'space-files');
  copyProject(copy);
  writeFileSync(join(copy, 'moto.cjs'), plugin);
  const yaml = join(copy, 'serverless.yml');
  const original = parse(readFileSync(yaml, 'utf8'));
  const setParams = (more: Readonly<Record<string, string>> = {}) => {
    const plugins = ['./moto.cjs', ...original.plugins];
    const prod = { ...params, ...more };
    // moto responds with 500 to it.
    const { deletionProtection: _, ...provider } = original.provider;
    writeFileSync(yaml, stringify({ ...original, plugins, provider, params: { ...original.params, prod } }));
  };

  const credentials = { AWS_ACCESS_KEY_ID: 'testing', AWS_SECRET_ACCESS_KEY: 'testing' };
  // As the deploy workflow names the commit.
  const emulated = { ...credentials, AWS_ENDPOINT_URL: moto.endpoint, COMMIT: '0942a7c' };
  const env = bareEnvironment({ ...emulated, HOME: home, NO_COLOR: '1' });
  const [settings = ''] = commandsOf('Before you start', 'export AWS_REGION');
  expect(commandsOf('Deployment', 'export AWS_REGION')).toEqual([settings]);
  const [stop = '', look = '', start = ''] = commandsOf('Stop all writes', 'put-', 'get-', 'delete-');
  let exports = [settings];
  /** Runs commands in the folder of the project, and answers their questions. Throws with what they print if one fails. */
  const run = async (...commands: string[]): Promise<string> => {
    let printed = '';
    for (const command of commands) {
      const script = [...exports, command].join('\n');
      const options = { env, cwd: copy, input: 'y\n' };
      const { code, stdout, stderr } = await execute('bash', ['-euc', script], options);
      if (code !== 0) throw new Error(`${command}\nended with ${code}: ${stdout}${stderr}`);
      printed += stdout;
    }
    return printed;
  };
  const latestStream = '--query Table.LatestStreamArn --output text';
  const streamOf = (table: string) =>
    run(`aws dynamodb describe-table --table-name ${table} ${latestStream}`);
  const tables = async () => JSON.parse(await run('aws dynamodb list-tables')).TableNames;
  /** The function as it is deployed. */
  const functionName = '--function-name space-files-$STAGE-updateFile';
  const deployed = async () => {
    const { CodeSha256: code, Environment } = JSON.parse(
      await run(`aws lambda get-function-configuration ${functionName}`),
    );
    return { code, variables: Environment.Variables, isStopped: /Executions": 0/.test(await run(look)) };
  };
  /** The zip with this hash, from the bucket. */
  const zipOf = async (code: string): Promise<string> => {
    const bucket = join(home, randomUUID());
    await run(`aws s3 cp --recursive "s3://$(aws s3 ls | sed 's/.* //')" ${bucket}`);
    const zips = globSync(join(bucket, '**/*.zip'));
    return (
      zips.find((file) => hash('sha256', readFileSync(file), 'base64') === code) ?? expect.unreachable(code)
    );
  };
  /** Runs the zip of the function behind a local gateway. Returns its address. */
  const serve = async (): Promise<string> => {
    const { code, variables } = await deployed();
    const unpacked = join(home, randomUUID());
    await run(`python3 -m zipfile -e ${await zipOf(code)} ${unpacked}`);
    const names = { ...variables, AWS_REGION: 'eu-west-1' };
    const file = join(unpacked, 'dist/update-file.mjs');
    const { invoke } = await startFunction({ names }, moto.endpoint, { file });
    const { port, close } = await startGateway({ lambda: (event) => invoke(event, 10_000) });
    onTestFinished(close);
    return `http://127.0.0.1:${port}`;
  };

  const [deployment = '', topic = '', confirm = '', testAlarm = '', mailAgain = '', deployPackage = ''] =
    commandsOf(
      'Deploy',
      'serverless deploy',
      'TOPIC=',
      'confirm-subscription',
      'set-alarm-state',
      'sns subscribe',
      '--package package',
      // The lane `lambda` runs it.
      '.github/package.sh',
      // Other lanes run it.
      'npm test',
    );
  const deploy = () => run(deployment);
  setParams();

  // Deploy.
  await deploy();
  expect([...new Set(log.match(/(?<=No Moto CloudFormation support for )\S+/g))].sort()).toEqual(unsupported);
  const names = ['space-files-prod-api-keys', 'space-files-prod-spaces', 'space-files-prod-files'];
  expect(await tables()).toEqual(names);
  const first = await deployed();
  const [API_KEYS_TABLE, SPACES_TABLE, FILES_TABLE] = names;
  const variables = { API_KEYS_TABLE, SPACES_TABLE, FILES_TABLE, COMMIT: '0942a7c' };
  expect(first).toEqual({ code: expect.any(String), variables, isStopped: false });
  const stream = await streamOf('space-files-prod-files');
  expect(stream).toMatch(/:table\/space-files-prod-files\/stream\/\S+\n$/);

  // moto's CloudFormation creates no alarm.
  const alarm = 'space-files-prod-lambda-errors';
  const metric = '--metric-name Errors --namespace AWS/Lambda --statistic Sum --period 300 --threshold 0';
  const rule = '--evaluation-periods 3 --comparison-operator GreaterThanThreshold';
  await run(`aws cloudwatch put-metric-alarm --alarm-name ${alarm} ${metric} ${rule}`, testAlarm);
  const { MetricAlarms } = JSON.parse(await run('aws cloudwatch describe-alarms --state-value ALARM'));
  expect(MetricAlarms).toMatchObject([{ AlarmName: alarm, StateReason: 'test' }]);
  // moto's CloudFormation creates no subscription either. It confirms any token.
  await run(`${topic}\n${mailAgain}\n${fill(confirm, 'token')}`);
  const { Subscriptions } = JSON.parse(await run('aws sns list-subscriptions'));
  const TopicArn = 'arn:aws:sns:eu-west-1:123456789012:space-files-prod-alarms';
  expect(Subscriptions).toMatchObject([{ Protocol: 'email', Endpoint: 'on-call@example.com', TopicArn }]);

  // Check a deployment.
  const [tableNames = '', address = '', create = '', write = '', smoke = '', contract = '', remove = ''] =
    commandsOf(
      'Check a deployment',
      'export API_KEYS_TABLE',
      'export CONTRACT_URL',
      'seed -- new',
      'seed -- write',
      'smoke',
      'smoke -- contract',
      'seed -- remove',
    );
  const check = async (...checks: string[]) => {
    const { FILES_TABLE: files } = (await deployed()).variables;
    const url = address.replace('https://…', await serve());
    exports = [settings, tableNames, `FILES_TABLE=${files}`, url];
    return (await run(...checks)).match(/^ +Tests .*$/gm);
  };
  // Some cases of the contract only, because other lanes send all of them.
  const passed = expect.stringMatching(/^ +Tests +\d+ passed \(\d+\)$/);
  const somePassed = expect.stringMatching(/^ +Tests +\d+ passed \| \d+ skipped/);
  expect(await check(create, write, smoke, `${contract} -t tenant`)).toEqual([passed, somePassed]);

  // Deploy from GitHub Actions.
  writeFileSync(join(copy, 'trust.json'), jsonOf('Deploy from GitHub Actions'));
  await run(...commandsOf('Deploy from GitHub Actions', 'create-open-id-connect-provider', 'create-role'));

  // Canary.
  const canary = jsonOf('Canary');
  writeFileSync(join(home, 'canary.json'), canary);
  const [{ spaceId, fileId }] = JSON.parse(canary).files;
  const [writeCanary = '', createKey = '', request = ''] = commandsOf('Canary', 'seed', 'api-key', 'curl');
  await run(writeCanary);
  const newKey = async () => (await run(createKey)).match(/sfk_\w+/)?.[0] ?? '';
  const key = await newKey();
  const canaryRequest = `KEY=${key}; ${fill(request)}`;
  expect(JSON.parse(await run(canaryRequest))).toMatchObject({ id: fileId, summary: 'canary' });

  // A leaked key in use. moto restores what the table has now.
  const [live = '', newName = '', restore = '', wait = '', ...settingsOfTable] = commandsOf(
    'Restore a table',
    'LIVE=$(',
    'RESTORED=$LIVE',
    'restore-table-to-point-in-time',
    'while test',
    'update-continuous-backups',
    '--deletion-protection-enabled',
    'wait table-exists',
    '--stream-specification',
    'LatestStreamArn',
    'update-time-to-live',
  );
  const [
    findKeys = '',
    identify = '',
    revokeLeaked = '',
    readOld = '',
    readLive = '',
    putBack = '',
    deleteOld = '',
  ] = commandsOf(
    'A leaked key in use',
    'KEYS=$(',
    'identify',
    'revoke',
    'get-item --consistent-read --table-name $RESTORED',
    'get-item --consistent-read --table-name $LIVE',
    'curl',
    'delete-table',
  );
  /** Runs a command that sets a variable, and gives its value to all commands that follow. */
  const setVariable = async (command: string): Promise<string> => {
    const [variable = ''] = command.split('=');
    const value = (await run(`${command}\necho $${variable}`)).trim().split('\n').at(-1) ?? '';
    exports = [...exports, `${variable}=${value}`];
    return value;
  };
  const restoreFiles = [fill(restore, new Date().toISOString()), wait];
  const undoLeak = async () => {
    const leaked = await newKey();
    const send = (summary: string) => `KEY=${leaked}; ${fill(request).replace('"canary"}', `"${summary}"}`)}`;
    await run(send('canary'));
    for (const command of [live, newName, findKeys]) await setVariable(command);
    await run(...restoreFiles, send('leaked'));
    const [keyId = ''] = (await run(`echo ${leaked} | ${identify}`)).match(/key_\w+/) ?? [];
    await run(fill(revokeLeaked, keyId));
    await expect(run(send('late'))).rejects.toThrow('ended with 22');
    const old = JSON.parse(await run(fill(readOld, spaceId, fileId))).Item;
    const now = JSON.parse(await run(fill(readLive, spaceId, fileId))).Item;
    expect([old.summary.S, now.summary.S]).toEqual(['canary', 'leaked']);
    const oldValues = [spaceId, fileId, 'canary', 'canary', now.version.N, old.summary.S];
    const putBackFile = await run(`KEY=${await newKey()}; ${fill(putBack, ...oldValues)}`, deleteOld);
    expect(putBackFile).toContain('"summary":"canary"');
  };
  await undoLeak();
  expect(await tables()).toEqual(names);

  // A disabled KMS key.
  const [describeTable = '', describeKey = '', enableKey = ''] = commandsOf(
    'A disabled KMS key',
    'describe-table',
    'describe-key',
    'enable-key',
  );
  const { KeyId } = JSON.parse(await run('aws kms create-key')).KeyMetadata;
  await run(`aws kms disable-key --key-id ${KeyId}`);
  const states = [describeTable, fill(describeKey, KeyId), fill(enableKey, KeyId), fill(describeKey, KeyId)];
  expect((await run(...states)).match(/(?<="KeyState": ")\w+/g)).toEqual(['Disabled', 'Enabled']);

  // A damaged key.
  const record = {
    keyHash: { S: '0'.repeat(64) },
    keyId: { S: 'damaged' },
    tenantId: { S: 'acme' },
    roles: { S: 'editor' },
  };
  await run(`aws dynamodb put-item --table-name ${API_KEYS_TABLE} --item '${JSON.stringify(record)}'`);
  const [listKeys = ''] = commandsOf('Keys', 'list');
  expect(await run(listKeys)).toMatch(/^damaged\tacme\t.*\tunreadable$/m);
  const [replace = '', revoke = ''] = commandsOf('A damaged key', 'create', 'revoke');
  await run(fill(replace, 'acme'), fill(revoke, 'damaged'));
  expect(await run(listKeys)).toMatch(/^damaged\tacme\t.*\trevoked$/m);

  // Roll back.
  appendFileSync(join(copy, 'handlers/update-file.ts'), 'export const changed = true;\n');
  await deploy();
  const second = await deployed();
  expect(second).toEqual({ ...first, code: expect.any(String) });
  expect(second.code).not.toBe(first.code);
  const [list = '', running = '', rollback = '', deployCommit = ''] = commandsOf(
    'Roll back',
    'deploy list',
    'get-template',
    'serverless rollback',
    'git switch',
    // For a state of a stack that moto does not have.
    'continue-update-rollback',
  );
  expect(deployCommit.endsWith(`npm ci && ${deployment.split('\n').at(-1)}`)).toBe(true);
  const [timestamp = '', later, ...others] = [...(await run(list)).matchAll(/Timestamp: (\d+)/g)].map(
    ([, at]) => at,
  );
  expect(others).toEqual([]);
  expect(await run(running)).toContain(`/${later}-`);
  const rollBack = () => run(fill(rollback, timestamp));
  await rollBack();
  expect(await deployed()).toEqual(first);
  expect(await run(running)).toContain(`/${timestamp}-`);
  // The last upload is what is deployed now, and not what runs.
  await deploy();
  expect(await deployed()).toEqual(second);

  // Somebody changes the function beside the stack. The last upload has what is deployed then, too.
  const changeFunction = async () => {
    const zip = await zipOf(first.code);
    await run(`aws lambda update-function-code ${functionName} --zip-file fileb://${zip}`);
    expect(await deployed()).toEqual(first);
  };
  await changeFunction();
  await deploy();
  expect(await deployed()).toEqual(second);
  // One package is deployed twice.
  await changeFunction();
  await run(deployPackage.replace(' deploy ', ' package '), deployPackage);
  expect(await deployed()).toEqual(second);
  await changeFunction();
  await run(deployPackage);
  expect(await deployed()).toEqual(second);
  await rollBack();
  expect(await deployed()).toEqual(first);

  // Restore a table.
  await run(stop);
  await setVariable(live);
  const filesTable = await setVariable(newName);
  const printed = await run(...restoreFiles, ...settingsOfTable);
  expect(printed).toContain(await streamOf(filesTable));
  setParams({ filesTable, createTables: 'false' });
  await deploy();
  const restored = { ...variables, FILES_TABLE: filesTable };
  expect(await deployed()).toEqual({ ...second, variables: restored, isStopped: true });
  await run(start);
  expect(await check(smoke)).toEqual([passed]);
  // Without credentials, the wait ends.
  await run(`unset AWS_ACCESS_KEY_ID; export AWS_EC2_METADATA_DISABLED=true; ${wait}`);

  // After a restore.
  await rollBack();
  expect(await deployed()).toEqual(first);
  const [deployRestored = ''] = commandsOf('After a restore', 'serverless deploy');
  // The serverless.yml of an older commit does not know the new name.
  setParams();
  await run(fill(deployRestored, filesTable));
  expect(await deployed()).toEqual({ ...second, variables: restored });
  setParams({ filesTable, createTables: 'false' });

  // A leaked key in use, after a restore: the table that the function uses stays.
  await undoLeak();
  const all = [...names, filesTable];
  expect(await tables()).toEqual(all);

  // Remove a stage, and use its tables again.
  const [removeStage = '', nameTable = '', unprotect = '', waitFor = '', deleteTable = ''] = commandsOf(
    'Remove a stage',
    'serverless remove',
    'export TABLE',
    'update-table',
    'wait table-exists',
    'delete-table',
  );
  await run(removeStage);
  expect([await run('aws s3 ls'), await tables()]).toEqual(['', all]);
  expect(await streamOf('space-files-prod-files')).toBe(stream);
  await deploy();
  expect(await check(smoke, remove)).toEqual([passed]);
  for (const table of all) {
    const name = nameTable.replace('$STAGE-api-keys', table.replace('space-files-', ''));
    await run(`${name}; ${unprotect}; ${waitFor}; ${deleteTable}`);
  }
  expect(await tables()).toEqual([]);

  expect(notFollowed()).toEqual([
    // moto has no versions of Node.
    'Node was updated',
    // A query of Logs Insights.
    'Find a request',
    // test/lanes/bundle/source-lines.test.ts runs it.
    'Which line of code',
  ]);
});
