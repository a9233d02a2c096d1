import { UsageError } from '#tools/cli.ts';
import { isLocal } from '#tools/tables/environment.ts';

const variable = (name: string): string | undefined => process.env[name.toLowerCase()] || process.env[name];

const canDecode = (text: string): boolean => {
  try {
    return decodeURIComponent(text) !== undefined;
  } catch {
    return false;
  }
};

/**
 * The proxy that a variable names. It is checked here because Node passes by a proxy of another scheme, prints one that is
 * no URL with its password, and says only "URI malformed" of a password that it cannot decode.
 */
const proxyOf = (name: 'HTTPS_PROXY' | 'HTTP_PROXY'): string | undefined => {
  const given = variable(name);
  if (given === undefined) return undefined;
  const url = URL.parse(given.includes('://') ? given : `http://${given}`);
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw new UsageError(`${name} is not the URL of an HTTP proxy.`);
  // Node decodes each by itself: `%` and `41` are no `%41`.
  if (!canDecode(url.username) || !canDecode(url.password))
    throw new UsageError(`Write % as %25 in the user and the password of ${name}.`);
  // Not as it was given: URL skips the end of a line, for example of a file with CRLF, and Node would print it.
  return url.href;
};

/**
 * What an agent of Node needs as `proxyEnv` to call an address. As for the AWS CLI, HTTPS_PROXY, HTTP_PROXY and NO_PROXY
 * count, but what is on this machine is always called directly. An older Node ignores them, which is then printed.
 */
export const proxyFor = (address: string): NodeJS.ProcessEnv | undefined => {
  if (isLocal(address)) return undefined;
  const proxies = { HTTPS_PROXY: proxyOf('HTTPS_PROXY'), HTTP_PROXY: proxyOf('HTTP_PROXY') };
  const name = new URL(address).protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  // This flag came in the same releases.
  if (proxies[name] && !process.allowedNodeEnvironmentFlags.has('--use-env-proxy'))
    process.stderr.write(`${name} is ignored: it needs Node 24.5, or 22.21 of Node 22.\n`);
  return { ...proxies, NO_PROXY: variable('NO_PROXY') };
};
