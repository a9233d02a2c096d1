import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import * as z from 'zod';
import { check, runCommand, UsageError } from './cli.ts';

const usage = `Usage: node tools/release-notes.ts TAG

Prints the notes of a release: the section of its version in CHANGELOG.md. TAG is v and the version, like v1.0.0.
Fails if a file has another version, or if the section has no date. Run it in the folder of package.json.
`;

const VersionSchema = z.object({ version: z.string() });
const OpenApiSchema = z.object({ info: VersionSchema });
const read = (path: string) => readFileSync(path, 'utf8');
const readPackage = (path: string) => check(VersionSchema, JSON.parse(read(path)));

await runCommand(usage, async () => {
  const [tag = '', ...more] = process.argv.slice(2);
  if (!tag.startsWith('v') || more.length > 0) throw new UsageError(usage);
  const version = tag.slice(1);

  const versions = {
    'package.json': readPackage('package.json').version,
    'openapi.yaml': check(OpenApiSchema, parse(read('openapi.yaml'))).info.version,
  };
  const problems = Object.entries(versions)
    .filter(([, found]) => found !== version)
    .map(([path, found]) => `${path} has the version ${found}.`);

  const sections = read('CHANGELOG.md').split(/^## /m);
  const section = sections.find((text) => text.split(/\s/)[0] === version);
  const [heading = '', ...lines] = section?.split('\n') ?? [];
  const notes = lines.join('\n').trim();
  if (section === undefined) problems.push(`CHANGELOG.md has no section for ${version}.`);
  else if (!/^\S+ - \d{4}-\d\d-\d\d$/.test(heading)) {
    const advice = `Write the date of the release into its heading, like "## ${version} - 2026-11-30".`;
    problems.push(`CHANGELOG.md has "## ${heading}". ${advice}`);
  } else if (notes === '') problems.push(`In CHANGELOG.md, the section of ${version} is empty.`);

  if (problems.length > 0) throw new UsageError(`${tag} cannot be released:\n${problems.join('\n')}`);
  process.stdout.write(`${notes}\n`);
});
