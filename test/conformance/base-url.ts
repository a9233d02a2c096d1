import { UsageError } from '#tools/cli.ts';

/** The base URL. Throws a UsageError for one that is none, or holds more than a place. */
export const readBaseUrl = (url: string | undefined): URL => {
  if (url === undefined)
    throw new UsageError(
      '--url must say where the service is. Run `npm run conformance -- --help` to list the options.',
    );
  const base = URL.parse(url);
  if (base === null || !/^https?:$/.test(base.protocol))
    throw new UsageError('--url must begin with http:// or https://.');
  if (base.username + base.password + base.search + base.hash !== '')
    throw new UsageError('--url must hold no user, query or fragment.');
  return base;
};
