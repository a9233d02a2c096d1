import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '#test/support/processes.ts';
import { projectRoot } from '#tools/project.ts';

/** A project of somebody else's, into which lib/client was copied as docs/client.md says. */
export const copyClient = () => {
  const { path, remove } = temporaryFolder();
  cpSync(join(projectRoot, 'lib', 'client'), join(path, 'space-files'), { recursive: true });
  const write = (name: string, text: string) => {
    writeFileSync(join(path, name), text);
    return join(path, name);
  };
  write('package.json', '{"type": "module"}');
  return { path, write, remove };
};
