import * as z from 'zod';
import { buildBundle } from '#local/build/bundle.ts';
import { chooseLevers } from '#local/build/read-options.ts';
import { applyEnvironment, engineEnvironment, foreignEnvironment } from '#local/start/aws-environment.ts';
import { readState } from '#local/start/state-file.ts';

type Serverless = {
  classes: { Error: new (message: string, code: string) => Error };
  processedInput: { commands: string[] };
  service: { custom?: unknown };
};

const CustomSchema = z.object({
  build: z.strictObject({ without: z.array(z.string()), codeCache: z.boolean() }),
});

const build = async ({ service, classes }: Serverless): Promise<void> => {
  const custom = CustomSchema.safeParse(service.custom);
  if (!custom.success) throw new classes.Error('custom.build needs "without" and "codeCache".', 'BAD_BUILD');
  const { without, codeCache } = custom.data.build;
  await buildBundle({ levers: chooseLevers(without, codeCache) });
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
        await build(serverless);
      },
      'before:package:createDeploymentArtifacts': () => build(serverless),
      'before:offline:start:init': () => build(serverless),
      'before:offline:start': () => build(serverless),
    },
  };
}
