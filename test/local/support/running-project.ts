import { afterAll, beforeAll } from 'vitest';
import { bareEnvironment, startProject, temporaryFolder } from './processes.ts';

/** One `npm start` for all tests of a file, with a state folder of its own, in `path`; the rest is there once a test runs. */
export const runningProject = () => {
  const folder = temporaryFolder();
  const env = bareEnvironment({ SPACE_FILES_STATE_DIR: folder.path });
  let project: Awaited<ReturnType<typeof startProject>>;
  beforeAll(async () => {
    project = await startProject([], env);
  });
  afterAll(async () => {
    await project.stop();
    folder.remove();
  });
  return {
    env,
    path: folder.path,
    printed: () => project.printed(),
    get url() {
      return project.url;
    },
  };
};
