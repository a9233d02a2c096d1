import { copyFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { buildFunctions } from '#tools/bundle/bundle.ts';
import { applyEnvironment, type Environment, findDatabase } from '#tools/tables/environment.ts';

type Serverless = {
  classes: { Error: new (message: string, code: string) => Error };
  configurationInput: { params: Params };
  processedInput: { commands: string[]; options: { param?: string[] } };
  service: {
    custom: { codeCache: boolean };
    functions: Readonly<Record<string, { name: string }>>;
    package: { artifactDirectoryName: string };
    provider: { compiledCloudFormationTemplate: object; stage: string };
    resources: { Parameters: Parameters; Resources: Readonly<Record<string, Resource>> };
  };
  serviceDir: string;
};
type Resource = { Type: string; Properties?: { TableName?: unknown } };
/** The params of each stage, as serverless.yml has them. */
type Params = Readonly<Record<string, object>>;
type Parameters = Readonly<Record<string, { AllowedValues?: string[]; Default: unknown }>>;

/** A number in serverless.yml stays a number: a whole one, or the default, which may be -1. */
const numberProblems = (defaults: object, values: readonly (readonly [name: string, value: unknown])[]) => {
  const numbers = new Map(Object.entries(defaults).filter(([, value]) => typeof value === 'number'));
  return values.flatMap(([name, value]) => {
    const standard = numbers.get(name);
    if (standard === undefined || /^\d+$/.test(`${value}`) || `${value}` === `${standard}`) return [];
    return `${name} must be a whole number${standard < 0 ? `, or ${standard}` : ''}.`;
  });
};

/** What is wrong with the params of serverless.yml and `--param`. CloudFormation ignores an unknown name. */
const paramProblems = (params: Params, options: readonly string[], parameters: Parameters): string[] => {
  const { default: defaults = {} } = params;
  const known = Object.keys(defaults);
  const inFile = Object.values(params).flatMap((ofStage) => Object.entries(ofStage));
  const given = options.map((option) => [option.replace(/=.*/s, ''), option.replace(/^[^=]*=/, '')] as const);
  const values = [...inFile, ...given];
  const unknown = values.map(([name]) => name).filter((name) => !known.includes(name));
  return [
    ...unknown.map((name) => `There is no param ${name}. The params are ${known.join(', ')}.`),
    ...numberProblems(defaults, values),
    ...Object.entries(parameters).flatMap(([name, { AllowedValues: allowed, Default: value }]) =>
      !allowed || allowed.includes(String(value)) ? [] : `${name} must be ${allowed.join(' or ')}.`,
    ),
  ];
};

/**
 * Names that AWS would reject, after it has created other resources. A stage is a part of each name, and the limit of a
 * function is the lowest. A param can be the whole name of a table.
 */
const nameProblems = ({ functions, resources }: Serverless['service']): string[] => {
  const tables = Object.values(resources.Resources).filter(({ Type }) => Type === 'AWS::DynamoDB::Table');
  const problemsOf = (property: string, names: readonly unknown[], form: RegExp, rule: string) =>
    names
      .filter((name) => typeof name === 'string' && !form.test(name))
      .map((name) => `${property} ${name} must have ${rule}. Choose another stage, or another param.`);
  return [
    ...problemsOf(
      'FunctionName',
      Object.values(functions).map(({ name }) => name),
      /^[\w-]{1,64}$/,
      '1 to 64 letters, digits, - and _',
    ),
    ...problemsOf(
      'TableName',
      tables.map(({ Properties }) => Properties?.TableName),
      /^[\w.-]{3,255}$/,
      '3 to 255 letters, digits, -, _ and dots',
    ),
  ];
};

/** Whether a stage that people rely on would alarm nobody. */
const alarmsNobody = (stage: string, { AlarmEmail, AlarmTopicArn }: Parameters) =>
  stage !== 'dev' && !AlarmEmail?.Default && !AlarmTopicArn?.Default;

/**
 * Gives the deployment a new folder in the bucket. In the folder of its package, CloudFormation would see no change if the
 * package were deployed again, and the framework would then delete the files of what runs.
 */
const moveToNewFolder = ({ package: packaged, provider }: Serverless['service']): void => {
  const { artifactDirectoryName: old } = packaged;
  const now = new Date();
  const folder = old.replace(/[^/]+$/, `${now.getTime()}-${now.toISOString()}`);
  const template = JSON.stringify(provider.compiledCloudFormationTemplate);
  provider.compiledCloudFormationTemplate = JSON.parse(template.replaceAll(old, folder));
  packaged.artifactDirectoryName = folder;
};

/** Commands that change a function outside of its stack. The next deployment undoes what they have done. */
const outsideOfStack = ['deploy function', 'rollback function'];

const noEngine = 'No engine is running: run `npm start` first, or set AWS_ENDPOINT_URL_DYNAMODB.';

/**
 * The Serverless plugin: checks the params, bundles the functions, lets each deployment deploy, and connects `invoke local`
 * to a running `npm start`.
 * The framework loads it with `require`, so no module that it imports may use a top-level await.
 */
export default function serverlessPlugin(
  { classes, configurationInput, processedInput, service, serviceDir }: Serverless,
  options: { force?: boolean },
) {
  let environment: Environment | undefined;
  let files: readonly string[] = [];
  const build = async () => {
    ({ files } = await buildFunctions({ codeCache: service.custom.codeCache }));
  };
  return {
    hooks: {
      // Before the framework looks for credentials, which calls the network when there are none.
      initialize: async () => {
        const command = processedInput.commands.join(' ');
        if (outsideOfStack.includes(command)) {
          const instead = `serverless ${command.replace(' function', '')}`;
          const problem = `serverless ${command} changes a function outside of its stack. Run ${instead} instead.`;
          throw new classes.Error(problem, 'OUTSIDE_OF_STACK');
        }
        if (command !== 'invoke local') return;
        environment = findDatabase();
        if (environment === undefined) throw new classes.Error(noEngine, 'NO_ENGINE');
        applyEnvironment(environment);
      },
      // Again, because the framework has set the table names of its stage since.
      'before:invoke:local:invoke': async () => {
        applyEnvironment(environment ?? {});
        await build();
      },
      'before:package:createDeploymentArtifacts': async () => {
        const { param = [] } = processedInput.options;
        const problems = [
          ...paramProblems(configurationInput.params, param, service.resources.Parameters),
          ...nameProblems(service),
        ];
        if (problems.length > 0) throw new classes.Error(problems.join('\n'), 'INVALID_PARAMS');
        if (alarmsNobody(service.provider.stage, service.resources.Parameters))
          process.stderr.write('Nobody gets the alarms of this stage: set alarmEmail or alarmTopic.\n');
        await build();
      },
      // The framework would compare with the last upload. After a rollback, for example, that is not what runs.
      'before:aws:deploy:deploy:checkForChanges': () => {
        options.force = true;
        moveToNewFolder(service);
      },
      // The source map stays beside the zip and the template, for as long as they are kept.
      'after:package:createDeploymentArtifacts': () => {
        for (const map of files.filter((path) => path.endsWith('.map')))
          copyFileSync(map, join(serviceDir, '.serverless', basename(map)));
      },
    },
  };
}
