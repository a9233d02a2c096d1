import { copyFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { buildBundle } from '#tools/build/bundle.ts';
import { readOptimizations } from '#tools/build/optimizations.ts';
import { applyEnvironment, type Environment, findDatabase } from '#tools/dev-server/environment.ts';

type Serverless = {
  classes: { Error: new (message: string, code: string) => Error };
  processedInput: { commands: string[] };
  service: { custom: { build: unknown } };
  serviceDir: string;
};

const noEngine = 'No engine is running: run `npm start` first, or set AWS_ENDPOINT_URL_DYNAMODB.';

/**
 * The Serverless plugin: bundles the function, and connects `invoke local` to a running `npm start`. The framework loads
 * it with `require`, so no module that it imports may use a top-level await.
 */
export default function serverlessPlugin({ classes, processedInput, service, serviceDir }: Serverless) {
  let environment: Environment | undefined;
  let files: readonly string[] = [];
  const build = async () => {
    ({ files } = await buildBundle({ optimizations: readOptimizations(service.custom.build) }));
  };
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
      // The source map stays beside the zip and the template, for as long as they are kept.
      'after:package:createDeploymentArtifacts': () => {
        for (const map of files.filter((path) => path.endsWith('.map')))
          copyFileSync(map, join(serviceDir, '.serverless', basename(map)));
      },
    },
  };
}
