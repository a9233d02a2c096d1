import { buildBundle } from '#tools/build/bundle.ts';
import { readOptimizations } from '#tools/build/optimizations.ts';
import { applyEnvironment, type Environment, findDatabase } from '#tools/dev-server/environment.ts';

type Serverless = {
  classes: { Error: new (message: string, code: string) => Error };
  processedInput: { commands: string[] };
  service: { custom: { build: unknown } };
};

const noEngine = 'No engine is running: run `npm start` first, or set AWS_ENDPOINT_URL_DYNAMODB.';

/**
 * The Serverless plugin: bundles the function, and connects `invoke local` to a running `npm start`. The framework loads
 * it with `require`, so no module that it imports may use a top-level await.
 */
export default function serverlessPlugin({ classes, processedInput, service }: Serverless) {
  let environment: Environment | undefined;
  const build = async () =>
    void (await buildBundle({ optimizations: readOptimizations(service.custom.build) }));
  return {
    hooks: {
      // Before the framework looks for credentials, which calls the network when there are none.
      initialize: () => {
        if (processedInput.commands.join(' ') !== 'invoke local') return;
        environment = findDatabase();
        if (environment === undefined) throw new classes.Error(noEngine, 'NO_ENGINE');
        applyEnvironment(environment);
      },
      // Again, because the framework has set the table names of its stage since.
      'before:invoke:local:invoke': async () => {
        applyEnvironment(environment ?? {});
        await build();
      },
      'before:package:createDeploymentArtifacts': build,
    },
  };
}
