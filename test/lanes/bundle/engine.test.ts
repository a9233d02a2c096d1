import { readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder } from '#test/support/processes.ts';
import { findEngine, freeAddress, startEngine } from '#tools/dev-server/engine.ts';
import packageJson from '../../../package.json' with { type: 'json' };

const version = packageJson.optionalDependencies['@dynoxide/linux-x64'];
const [binary] = findEngine().command;
const isListening = (endpoint: string) => fetch(endpoint).then(Boolean, () => false);

test('startEngine listens where no web page can guess, and `stop` ends the engine', async () => {
  const engine = await startEngine();
  const { hostname, port } = new URL(engine.endpoint);
  expect(hostname).toMatch(/^127\.\d+\.\d+\.\d+$/);
  expect(await isListening(engine.endpoint)).toBe(true);
  expect(await isListening(`http://127.0.0.1:${port}`)).toBe(false);
  const others = await Promise.all([freeAddress(), freeAddress()]);
  expect(new Set([hostname, '127.0.0.1', ...others.map(({ host }) => host)]).size).toBe(4);
  await engine.stop();
  expect(await isListening(engine.endpoint)).toBe(false);
});

test('freeAddress gives 127.0.0.1 to a machine without that address', async () => {
  // An address for documentation, which no machine has.
  expect(await freeAddress('192.0.2.1')).toStrictEqual({ host: '127.0.0.1', port: expect.any(String) });
});

describe('without its package, startEngine', () => {
  const name = `@dynoxide/${process.platform}-sparc`;
  const { arch } = process;
  let folder: ReturnType<typeof temporaryFolder>;
  /** Puts a program on the PATH, before and instead of all others but those of the system. */
  const putOnPath = (program: string, script: string) => {
    const file = join(folder.path, program);
    writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return file;
  };
  beforeEach(() => {
    folder = temporaryFolder();
    vi.stubEnv('BINARY', binary);
    vi.stubEnv('PATH', ['/nowhere', folder.path, '/usr/bin', '/bin'].join(delimiter));
    Object.defineProperty(process, 'arch', { value: 'sparc' });
  });
  afterEach(() => {
    Object.defineProperty(process, 'arch', { value: arch });
    folder.remove();
  });
  const start = async () => {
    const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const engine = await startEngine();
    onTestFinished(engine.stop);
    return { ...engine, printed: stderr.mock.calls.join('') };
  };

  test('runs a dynoxide on the PATH, before npx', async () => {
    putOnPath('npx', 'exit 1');
    const program = putOnPath('dynoxide', 'exec "$BINARY" "$@"');
    const { endpoint, printed } = await start();
    expect(await isListening(endpoint)).toBe(true);
    expect(printed).toBe(`${name} is not installed: using ${program}.\n`);
  });

  test('runs the locked version by npx otherwise, and what that starts ends with it', async () => {
    // As npx does, it starts the engine as a process of its own.
    putOnPath('npx', 'echo "$@" >"$(dirname "$0")/arguments"; shift 2; "$BINARY" "$@"; exit');
    const { endpoint, printed, stop } = await start();
    expect(await isListening(endpoint)).toBe(true);
    const { hostname, port } = new URL(endpoint);
    const args = `--yes dynoxide@${version} serve --host ${hostname} --port ${port}\n`;
    expect(readFileSync(join(folder.path, 'arguments'), 'utf8')).toBe(args);
    const command = `npx --yes dynoxide@${version}`;
    expect(printed).toBe(`${name} is not installed: running \`${command}\`, which downloads it once.\n`);
    await stop();
    await expect.poll(() => isListening(endpoint)).toBe(false);
  });

  test('says why npx cannot download it, and what to do', async () => {
    putOnPath('npx', "echo 'npm error 404 Not Found' >&2; exit 1");
    await expect(start()).rejects.toThrow(
      'The embedded DynamoDB engine did not start: npm error 404 Not Found ' +
        'Install dynoxide, or set AWS_ENDPOINT_URL_DYNAMODB, for example to DynamoDB Local.',
    );
  });
});
