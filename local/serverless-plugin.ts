import { buildBundle } from '#local/service/bundle.ts';
import { applyEnvironment, engineEnvironment, foreignEnvironment } from '#local/start/aws-environment.ts';
import { readState } from '#local/start/state-file.ts';

type Serverless = {
  classes: { Error: new (message: string, code: string) => Error };
  processedInput: { commands: string[] };
};

const build = async (): Promise<void> => {
  await buildBundle();
};

/** The environment of `invoke local`: the engine of a running `npm start`, unless the user names another. */
const localEnvironment = ({ classes }: Serverless) => {
  if (process.env['AWS_ENDPOINT_URL_DYNAMODB']) return foreignEnvironment(process.env);
  const running = readState();
  if (running !== undefined) return { ...engineEnvironment(running.endpoint), ...running.tables };
  throw new classes.Error(
    'No engine is running: run `npm start` first, or set AWS_ENDPOINT_URL_DYNAMODB.',
    'NO_ENGINE',
  );
};

/** The Serverless plugin. The framework calls it with `new`, and takes what it returns for the instance. */
export default function localPlugin(serverless: Serverless) {
  let environment: ReturnType<typeof localEnvironment> = {};
  return {
    hooks: {
      // Before the framework looks for credentials, which takes it to the network when there are none.
      initialize: () => {
        if (serverless.processedInput.commands.join(' ') !== 'invoke local') return;
        environment = localEnvironment(serverless);
        applyEnvironment(environment);
      },
      // Once more, for the framework has set the stage's table names since.
      'before:invoke:local:invoke': async () => {
        applyEnvironment(environment);
        await build();
      },
      'before:package:createDeploymentArtifacts': build,
      'before:offline:start:init': build,
      'before:offline:start': build,
    },
  };
}
