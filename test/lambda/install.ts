import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { missingTools } from '#test/support/missing-tools.ts';
import { UsageError } from '#tools/cli.ts';
import { runtimeClient } from './support/runtime-client.ts';

const tools = ['cmake', 'g++', 'make', 'python3', 'tar', 'xz'];

/**
 * Builds AWS's runtime client from its sources, unless that was done before.
 *
 * @throws {UsageError} where it cannot be built: elsewhere than on Linux, or without a compiler
 */
export const installRuntimeClient = async (): Promise<void> => {
  if (process.platform !== 'linux') throw new UsageError("AWS's runtime client is for Linux only.");
  const missing = missingTools(tools);
  if (missing.length > 0) {
    throw new UsageError(
      `AWS's runtime client is built with ${tools.join(', ')}, and there is no ${missing.join(' and no ')}: ` +
        '`apt-get install build-essential cmake python3 xz-utils` on Debian.',
    );
  }
  if (existsSync(runtimeClient.builtFile)) return;
  process.stdout.write("npm builds AWS's runtime client; this is done once and takes minutes.\n");
  const npm = spawn('npm', ['ci', '--prefix', runtimeClient.folder], { stdio: ['ignore', 'ignore', 'pipe'] });
  const [said, [code]] = await Promise.all([text(npm.stderr), once(npm, 'close')]);
  if (code === 0 && existsSync(runtimeClient.builtFile)) return;
  throw new UsageError(`AWS's runtime client could not be built; npm said:\n${said.trim() || 'nothing'}`);
};
