import { roles } from '#lib/domain/api-key.ts';

/** What `--help` shows. */
export const apiKeyUsage = `Usage: npm run api-key -- <command> [--table NAME]

  create --tenant T --role R [--role R ...] [--name N] [--expires DATE]
                    makes a key and shows it, this once; R is one of ${roles.join(', ')};
                    DATE is like 2030-01-31 (from 00:00 UTC) or 2030-01-31T12:00:00Z
  rotate KEYID [--keep DAYS | --until DATE] [--expires DATE]
                    makes a key of the same tenant, roles, scope and name and shows it, this once; then lets the
                    old one expire after 7 days, or DAYS (0 is now), or at DATE, and never later than it would have.
                    The new key expires only with --expires. Broken off halfway, it may be run again: that makes
                    one more key, and the one nobody took down is for revoke
  list [--tenant T] [--json]
                    lists the keys of a tenant, or all, without the keys themselves
  show KEYID        tells whose key it is and what became of it
  identify          tells the same of a key that it reads from stdin, or asks for
  revoke KEYID      makes a key invalid, from the next request on

With --table, or with API_KEYS_TABLE in the environment, it works on that table by the ordinary AWS settings
(credentials, Region, AWS_ENDPOINT_URL_DYNAMODB); otherwise on the engine of a running \`npm start\`.
`;
