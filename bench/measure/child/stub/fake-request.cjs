'use strict';

const { EventEmitter } = require('node:events');
const { Readable, Writable } = require('node:stream');

const nothing = () => undefined;

/** One connection that is always open; nobody gets to wait for it. */
const socket = Object.assign(new EventEmitter(), {
  connecting: false,
  destroy: nothing,
  setKeepAlive: nothing,
  setNoDelay: nothing,
  setTimeout: nothing,
});

/** As much of http.IncomingMessage as clients read. */
const fakeMessage = ({ status, headers, rawHeaders, body }) => {
  const message = new Readable({ read: nothing });
  message.push(body);
  message.push(null);
  return Object.assign(message, {
    statusCode: status,
    statusMessage: '',
    httpVersion: '1.1',
    headers,
    rawHeaders,
    complete: true,
    socket,
  });
};

/** As much of http.ClientRequest as clients use. `replyTo` gives the reply to the whole body. */
exports.fakeRequest = (onResponse, replyTo) => {
  const chunks = [];
  const request = new Writable({
    // Like the real one it closes after the response and not after its own last byte.
    autoDestroy: false,
    write: (chunk, _encoding, done) => {
      chunks.push(chunk);
      done();
    },
    final: (done) => {
      replyTo(Buffer.concat(chunks)).then(respond, (error) => request.destroy(error));
      done();
    },
  });
  // Never in the same turn of the event loop: timers and signals of the client must get their turn too.
  const respond = (reply) =>
    setImmediate(() => {
      if (request.destroyed) return;
      const message = fakeMessage(reply).on('close', () => request.destroy());
      request.emit('response', message);
    });

  if (onResponse !== undefined) request.once('response', onResponse);
  process.nextTick(() => request.emit('socket', socket));
  const returnRequest = () => request;
  return Object.assign(request, {
    abort: () => request.destroy(),
    flushHeaders: nothing,
    setNoDelay: returnRequest,
    setSocketKeepAlive: returnRequest,
    setTimeout: returnRequest,
    socket,
  });
};
