// Loaded before every command: an older Node reports its version here instead of a syntax error in a .ts file.

const [major, minor] = process.versions.node.split('.').map(Number);

if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(
    `space-files needs Node 22.18 or newer. This is Node ${process.versions.node}. On Linux and Windows, "npm ci" ` +
      'installs Node 24; after "npm ci --ignore-scripts", run "npm rebuild". Elsewhere, install Node 24 yourself.\n',
  );
  process.exit(1);
}
