import { runCommand } from '#tools/cli.ts';
import { runSmoke } from './smoke.ts';

/** `npm run smoke`: tells whether a deployment works, with what only API Gateway itself can show. */
await runCommand(() => runSmoke(process.argv.slice(2)));
