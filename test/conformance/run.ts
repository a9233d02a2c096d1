import { runCommand } from '#tools/cli.ts';
import { runConformance } from './conformance.ts';

/** `npm run conformance`: holds a service at any URL to docs/contract.md. */
await runCommand(() => runConformance(process.argv.slice(2)));
