import { Complaint } from '#local/complaint.ts';

/** The base URL. Throws a Complaint for one that is none, or holds more than a place. */
export const readBaseUrl = (url: string | undefined): URL => {
  if (url === undefined)
    throw new Complaint(
      '--url must say where the service is; npm run conformance -- --help shows what there is.',
    );
  const base = URL.parse(url);
  if (base === null || !/^https?:$/.test(base.protocol))
    throw new Complaint('--url must begin with http:// or https://.');
  if (base.username + base.password + base.search + base.hash !== '')
    throw new Complaint('--url must hold no user, query or fragment.');
  return base;
};
