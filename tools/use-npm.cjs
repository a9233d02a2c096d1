process.stderr.write('This project is configured to use npm. Run `npm ci`.\n');
process.exitCode = 1;
