// Writes README.md of the package from docs/client.md, so that the example stands in one place. `npm pack` runs it.
import { readFileSync, writeFileSync } from 'node:fs';

const read = (path) => readFileSync(new URL(path, import.meta.url), 'utf8');
const [, section = ''] = /^## TypeScript$(.*?)^## /ms.exec(read('../docs/client.md')) ?? [];
const [example] = /^```ts$.*?^```$/ms.exec(section) ?? [];
const [notes] = /^- .*/ms.exec(section) ?? [];
if (example === undefined || notes === undefined)
  throw new Error('docs/client.md has no example in TypeScript');

const { name, description } = JSON.parse(read('package.json'));
const text = `<!-- Made from docs/client.md by client/prepack.mjs. -->
# ${name}

${description}
\`docs/client.md\` in the repository of the service has all options, errors and retries.

${example}

${notes.trim()}
`;
writeFileSync(new URL('README.md', import.meta.url), text);
