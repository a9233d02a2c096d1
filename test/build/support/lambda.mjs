// Loads a handler as Lambda does, says so, and answers the events it is sent.
const { handler } = await import(process.argv[2]);
process.send('loaded');
process.on('message', async (event) => {
  process.send(await handler(event, { getRemainingTimeInMillis: () => 10_000 }));
});
