/** What `--help` shows. */
export const usage = `Usage: npm run conformance -- --url URL [options]

Holds a service to docs/contract.md: sends it what the contract speaks of and compares each answer.

  --url URL     where the service is, up to /v1: http://localhost:3000, https://example.org/dev
  --world FILE  the ids and API keys to use, instead of those of the demo data
                (test/conformance/demo-world.json is an example; cases it lacks something for are skipped)
  --only TEXT   run the cases whose name holds this text
  --junit FILE  write the results as JUnit XML, too
  --list        list the cases and send nothing
  --help        show this text

It overwrites summary and documentKind of the files that the world names, and nothing else. In the end it puts back
the summary it found and the documentKind that the world states. Nobody else may write those files meanwhile.
The exit code is 0 only when some case passed, none failed, and the files were put back.
`;
