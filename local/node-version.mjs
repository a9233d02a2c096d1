// Loaded before everything else, so that an old Node says what is wrong instead of failing on a type annotation.

const [major, minor] = process.versions.node.split('.').map(Number);

if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(
    'space-files needs Node 22.18 or newer, and this is ' +
      process.versions.node +
      ': `npm ci` brings Node 24 along on Linux and Windows (if it ran without scripts: `npm rebuild`), elsewhere install Node 22.18 or newer yourself.\n',
  );
  process.exit(1);
}
