// Runs in each worker of vitest. A worker whose run was killed would live on with all that its test has started.
process.once('disconnect', () => process.exit(1));
