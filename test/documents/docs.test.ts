import { globSync } from 'node:fs';
import { test } from 'vitest';
import { expectNone, read } from '#test/support/pages.ts';
import { projectRoot } from '#tools/project.ts';
import packageJson from '../../package.json' with { type: 'json' };

test.each(globSync(['*.md', 'docs/**/*.md'], { cwd: projectRoot, exclude: ['CHANGELOG.md'] }))(
  'every file and folder that %s names exists',
  (page) => {
    const own = /(?<=[\s`])(?:handlers|lib|tools|events|test|bench|docs|\.github|\.ci)\/[\w./*-]*[\w*]/g;
    const text = read(page);
    const exists = (path: string) => globSync(`${path}*`, { cwd: projectRoot }).length > 0;
    const missing = (text.match(own) ?? []).filter((path) => !exists(path));
    expectNone(missing, `${page} names what does not exist`);
  },
);

const code = ['{handlers,lib,tools}/**/*.{ts,mjs}', '*.ts'];
const data = ['{tools,events}/**/*.{yaml,json}', '*.{yml,yaml}', 'package.json', '.github/**/*.yml'];
const tests = ['{test,bench}/**/*.{ts,mjs}'];
/** Pages that tell of the tests. On others, a name that only a test has is a mistake. */
const ofTests = ['CONTRIBUTING.md', 'docs/guarantees.md', 'docs/performance.md'];
const filesOf = (patterns: readonly string[]) =>
  patterns.flatMap((pattern) => globSync(pattern, { cwd: projectRoot }));
/** The words of a file of code, outside of comments. A text counts if it is one word or path: `'file-changed'`. */
const namesOfCode = (text: string): readonly string[] => {
  const texts: string[] = [];
  const rest = text
    .replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '')
    .replaceAll(/'([^'\n]*)'/g, (_, literal: string) => {
      if (/^[\w.-]+$/.test(literal)) texts.push(literal, ...literal.split('.'));
      return ' ';
    });
  return [...texts, ...(rest.match(/\w+/g) ?? [])];
};
const namesOfData = (text: string): readonly string[] => {
  const rest = text.replaceAll(/(?<=^|\s)#.*$/gm, '');
  return [...(rest.match(/[\w-]+/g) ?? []), ...(rest.match(/\w+/g) ?? [])];
};
const namesOfTests = filesOf(tests).flatMap((file) => namesOfCode(read(file)));
const known = new Set([
  ...filesOf(code).flatMap((file) => namesOfCode(read(file))),
  ...filesOf(data).flatMap((file) => namesOfData(read(file))),
  // The settings of serverless.yml, and the names that the framework gives.
  ...filesOf(['node_modules/serverless/lib/plugins/aws/{provider,lib/naming}.js']).flatMap((file) =>
    namesOfCode(read(file)),
  ),
]);

/** The tools that npm runs, each with its file. */
const tools = new Map(
  Object.entries(packageJson.scripts).flatMap(([name, script]) => {
    const [file] = /tools\/\S+\.ts$/.exec(script) ?? [];
    return file === undefined ? [] : [[name, file]];
  }),
);
/** The command and the options of each `npm run TOOL -- COMMAND --option` that the tool does not have. */
const wrongCommandsIn = (text: string): readonly string[] =>
  [...text.matchAll(/npm (?:run )?([\w-]+) -- ([^`\n]*)/g)].flatMap(([command, tool = '', rest = '']) => {
    const file = tools.get(tool);
    if (file === undefined) return [];
    const source = read(file);
    // The text of `--help` has a command at the beginning of a line.
    const isKnown = (word: string) =>
      word.startsWith('-')
        ? word === '--help' || source.includes(word)
        : new RegExp(`^ +${word} `, 'm').test(source);
    const words = rest.match(/^[a-z]+\b|(?<=^|\s)--[a-z-]+/g) ?? [];
    return words.filter((word) => !isKnown(word)).map((word) => `${command}: ${file} has no ${word}`);
  });

test.each(globSync(['*.md', 'docs/**/*.md'], { cwd: projectRoot }))(
  'the tools have each command and option that %s gives them',
  (page) => {
    expectNone(wrongCommandsIn(read(page)), page);
  },
);

/** Sections about other products: not each of their names is ours. */
const ofOtherProducts: Readonly<Record<string, readonly string[]>> = {
  // The lane `client` runs its programs.
  'docs/client.md': ['curl', 'TypeScript', 'Python', 'Other generated clients'],
  'docs/deploy-from-github.md': ['Deploy from GitHub Actions'],
  'docs/other-tools.md': ['Use the zip with another tool'],
  'docs/tables.md': ['With a mapper or another tool'],
  'docs/decisions/005-node-and-osls.md': ["005 Lambda's Node and osls come with the install"],
  'docs/decisions/007-bundle-and-code-cache.md': ['007 One CommonJS file, with an optional code cache'],
};
/** What a reader makes: an error of CONTRIBUTING.md, a file of docs/deploy.md. stack.test.ts has the names of the stack. */
const isMadeUp = (name: string) =>
  ['file-locked', 'canary.json'].includes(name) || name.startsWith('space-files-');
/** Names of HTTP, Node and AWS. */
const ofOthers = [
  ...['if-none-match', 'if-unmodified-since', 'NODE_PATH', 'MODULE_NOT_FOUND', 'apigateway.amazonaws.com'],
  ...['apigw-requestid', 'INIT_START', 'UPDATE_ROLLBACK_FAILED', 'INSUFFICIENT_DATA'],
];
const isOfOthers = (name: string) => name.startsWith('AWS_') || ofOthers.includes(name);
/** The names in a section: in camel case or in capitals anywhere, and each single word or header in code. */
const namesIn = (section: string): readonly string[] => {
  // Programs and drawings have names of their own.
  const text = section.replaceAll(/^```(?:mermaid|ts)\n.*?^```/gms, '');
  const inText = text.match(/(?<![\w./-])[a-z]+[A-Z][a-z][A-Za-z]*\b/g) ?? [];
  const inCode =
    text.match(/(?<=`)(?:[a-z]+(?:-[a-z]+)+(?=`|: )|[a-z][A-Za-z]*(?:\.[A-Za-z]+)*(?=`))/g) ?? [];
  const variables = text.match(/\b[A-Z]+(?:_[A-Z0-9]+)+\b/g) ?? [];
  return [...new Set([...inText, ...inCode, ...variables])].filter(
    (name) => !isMadeUp(name) && !isOfOthers(name),
  );
};
const isKnown = (name: string) => known.has(name) || name.split('.').every((part) => known.has(part));

// So a name that was changed in the code is red on each page that still has the old one.
test.each(globSync(['*.md', 'docs/**/*.md'], { cwd: projectRoot, exclude: ['CHANGELOG.md'] }))(
  'the code has each name in %s',
  (page) => {
    const sections = read(page).split(/^(?=#+ )/m);
    const ours = sections.filter(
      (one) => !ofOtherProducts[page]?.some((heading) => /^#+ (.*)/.exec(one)?.[1] === heading),
    );
    const unknown = ours
      .flatMap(namesIn)
      .filter((name) => !isKnown(name) && !(ofTests.includes(page) && namesOfTests.includes(name)));
    const advice = 'if a section is about another product, add it to ofOtherProducts';
    expectNone(unknown, `${page} has names that no code has (${advice})`);
  },
);
