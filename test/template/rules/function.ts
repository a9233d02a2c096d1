import { exactly, follows, type Rule } from '../support/rule.ts';
import { at, namesAt, textAt } from '../support/template.ts';

const fn = 'Resources.UpdateFileLambdaFunction.Properties';
/** Seconds: what a request gives itself (docs/contract.md, Semantics), and what API Gateway gives the function. */
const DEADLINE = 5;
const GATEWAY = 30;

/** Properties that a function may have here. None is a network of its own, a layer, a file system or a dead-letter queue. */
const known = [
  'Architectures',
  'Code',
  'Environment',
  'FunctionName',
  'Handler',
  'MemorySize',
  'ReservedConcurrentExecutions',
  'Role',
  'Runtime',
  'Timeout',
  'TracingConfig',
];

/** The function. */
export const functionRules: readonly Rule[] = [
  exactly('it runs on Node 24', `${fn}.Runtime`, 'nodejs24.x', [[`${fn}.Runtime`, 'nodejs18.x']]),
  exactly(
    'it runs on arm64',
    `${fn}.Architectures`,
    ['arm64'],
    [[`${fn}.Architectures`, ['x86_64']], [`${fn}.Architectures`]],
  ),
  exactly('it is the module that primes the bundle', `${fn}.Handler`, 'dist/update-file.handler', [
    [`${fn}.Handler`, 'dist/other.handler'],
  ]),
  {
    name: 'it has the memory below which the cold start suffers',
    check: (template) => (Number(at(template, `${fn}.MemorySize`)) >= 512 ? [] : ['less than 512 MB']),
    broken: [[`${fn}.MemorySize`, 128], [`${fn}.MemorySize`]],
  },
  {
    name: 'it has more time than a request gives itself, and less than the gateway waits',
    check: (template) => {
      const timeout = Number(at(template, `${fn}.Timeout`));
      return timeout > DEADLINE && timeout < GATEWAY - 1 ? [] : [`${timeout} s`];
    },
    broken: [[`${fn}.Timeout`, 5], [`${fn}.Timeout`, 29], [`${fn}.Timeout`]],
  },
  {
    name: 'its environment is the names of the tables, and no secret',
    check: (template) => {
      const names = namesAt(template, `${fn}.Environment.Variables`);
      const isName = (name: string) =>
        /^[\w.-]{3,255}$/.test(textAt(template, `${fn}.Environment.Variables.${name}`));
      return names.join() === 'API_KEYS_TABLE,FILES_TABLE,SPACES_TABLE' && names.every(isName) ? [] : names;
    },
    broken: [
      [`${fn}.Environment.Variables.API_KEY`, 'sfk_x'],
      [`${fn}.Environment.Variables.FILES_TABLE`],
      [`${fn}.Environment.Variables.FILES_TABLE`, ''],
    ],
  },
  follows(
    'it is traced where tracing is asked for',
    `${fn}.TracingConfig.Mode`,
    (template) => at(template, 'Parameters.Tracing.Default'),
    [[`${fn}.TracingConfig.Mode`, 'Other'], [`${fn}.TracingConfig`]],
  ),
  exactly(
    'concurrency is reserved only where it is asked for',
    `${fn}.ReservedConcurrentExecutions`,
    { 'Fn::If': ['SharesConcurrency', { Ref: 'AWS::NoValue' }, { Ref: 'ReservedConcurrency' }] },
    [[`${fn}.ReservedConcurrentExecutions`, 0]],
  ),
  {
    name: 'it has nothing else: no VPC, layer or file system',
    check: (template) => namesAt(template, fn).filter((name) => !known.includes(name)),
    broken: [
      [`${fn}.VpcConfig`, { SubnetIds: ['subnet-1'] }],
      [`${fn}.Layers`, ['arn:aws:lambda:us-east-1:123456789012:layer:x:1']],
    ],
  },
];
