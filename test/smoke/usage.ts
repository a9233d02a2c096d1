/** What `--help` shows. */
export const usage = `Usage: npm run smoke -- --url URL --tenant T --user U --space S --file F [options]

Tells within seconds whether a deployment works, with what only API Gateway itself can show: how it decodes paths and
joins headers, its own 404, 413 and 429, TLS. The whole contract is for npm run conformance.

  --url URL             where the service is, up to /v1: https://example.execute-api.eu-west-1.amazonaws.com
  --tenant T --user U   on whose behalf the file is written
  --space S --file F    the file to write: make one for this, that nobody else writes
  --document-kind TEXT  the documentKind that the file holds, if it holds one
  --api-key KEY         a key of the tenant with the role editor or admin. Better in the environment, as
                        SMOKE_API_KEY, or through stdin, where it is asked for: npm and the shell show and keep
                        what is on the command line
  --burst N             send N more requests, 50 at a time, and expect API Gateway to refuse some of them with 429:
                        N must be well above the stage's burst limit. They end before any read of DynamoDB, and
                        cost what N invocations cost
  --help                show this text

It overwrites summary and documentKind of the file. In the end it puts back the summary it found and the documentKind
that was stated. The exit code is 0 only when some check passed, none failed, and the file was put back.
`;
