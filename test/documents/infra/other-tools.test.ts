// docs/other-tools.md is all that a team without the Serverless Framework reads: it must say what the template says.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const { Resources } = parse(read('template-prod.yaml'));
const types = Object.values<{ Type: string }>(Resources).map(({ Type }) => Type);
const page = read('../../../docs/other-tools.md');
const propertiesOf = (id: string) => Resources[id].Properties;
const blockOf = (language: string) =>
  new RegExp(`\`\`\`${language}\n(.*?)\n\`\`\``, 's').exec(page)?.[1] ?? '';

test('docs/other-tools.md has the settings of the function', () => {
  const [, ...rows] = page.match(/^\| [a-z].*\|$/gm) ?? [];
  const cells = rows.map((row) => row.split('|').map((cell) => cell.trim().replaceAll('`', '')));
  const { Handler, Runtime, Architectures, MemorySize, Timeout, Environment, RuntimeManagementConfig } =
    propertiesOf('UpdateFileLambdaFunction');
  const expected = [
    ['handler', Handler],
    ['runtime', Runtime],
    ['architecture', Architectures.join()],
    ['memory', `${MemorySize} MB`],
    ['timeout', `${Timeout} s`],
    ['variables', expect.stringMatching(`^${Object.keys(Environment.Variables).join(', ')}: `)],
    ['runtime update', expect.stringMatching(`^${RuntimeManagementConfig.UpdateRuntimeOn}, `)],
  ];
  expect(cells.map(([, name, value]) => [name, value])).toEqual(expected);
});

test('docs/other-tools.md has the policy of the role', () => {
  const names: Readonly<Record<string, string>> = {
    'space-files-prod-api-keys': 'API_KEYS_TABLE',
    'space-files-prod-spaces': 'SPACES_TABLE',
    'space-files-prod-files': 'FILES_TABLE',
  };
  const [{ PolicyDocument }] = propertiesOf('UpdateFileRole')['Policies'];
  const statements = PolicyDocument.Statement.map(({ Resource, ...statement }: { Resource: object[] }) => ({
    ...statement,
    Resource: Resource.map((resource) => {
      if (JSON.stringify(resource) === '{"Fn::GetAtt":["FunctionsLogGroup","Arn"]}') return 'LOG_GROUP:*';
      return names[/table\/([\w-]+)/.exec(JSON.stringify(resource))?.[1] ?? ''];
    }),
  }));
  expect(JSON.parse(blockOf('json'))).toEqual(statements);
});

test('docs/other-tools.md has the route, the payload format and the format of the access log', () => {
  const { RouteKey } = propertiesOf('HttpApiRoutePatchV1SpacesSpaceidVarFilesFileidVar');
  const { PayloadFormatVersion } = propertiesOf('HttpApiIntegrationUpdateFile');
  expect(page).toContain(`the route \`${RouteKey}\` and the payload format \`${PayloadFormatVersion}\``);
  const { Format } = propertiesOf('HttpApiStage')['AccessLogSettings'];
  expect(JSON.parse(blockOf('text'))).toEqual(JSON.parse(Format));
});

// A new type of resource must be named here or there.
test('docs/other-tools.md names each type of resource that a team must take from the template', () => {
  const named = [...page.matchAll(/^- `(AWS::\w+::\w+)`/gm)].map(([, type]) => type);
  const described = /^AWS::(ApiGatewayV2|IAM|KMS|Lambda|S3|SNS)::|^AWS::Logs::LogGroup$/;
  expect(new Set(named)).toEqual(new Set(types.filter((type) => !described.test(type))));
});
