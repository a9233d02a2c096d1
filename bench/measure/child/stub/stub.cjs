'use strict';
/**
 * Preloaded, it takes the network out: the first call of each kind goes to the engine, and its reply answers all
 * others inside this process. What is left is what the handler and its client do themselves.
 */

const http = require('node:http');
const https = require('node:https');
const { syncBuiltinESMExports } = require('node:module');
const { fakeRequest } = require('./fake-request.cjs');
const { keepReply, kindOf } = require('./replies.cjs');

const replies = new Map();

/** Makes the real call and gives its reply. */
const ask = (send, options, body) =>
  new Promise((resolve, reject) => {
    const call = send(...options, (message) => {
      message
        .toArray()
        .then((chunks) => resolve({ message, body: Buffer.concat(chunks) }))
        .catch(reject);
    });
    call.on('error', reject).end(body);
  });

const stubbed = (send) => {
  return (...given) => {
    const onResponse = typeof given.at(-1) === 'function' ? given.at(-1) : undefined;
    const options = onResponse === undefined ? given : given.slice(0, -1);
    const { headers } = options.at(-1);
    return fakeRequest(onResponse, async (body) => {
      const kind = kindOf(headers, body);
      const known = replies.get(kind);
      if (known !== undefined) return known(body);
      const reply = keepReply(body, await ask(send, options, body));
      replies.set(kind, reply);
      return reply(body);
    });
  };
};

http.request = stubbed(http.request);
https.request = stubbed(https.request);
// For `import { request } from 'node:https'` in an ES module.
syncBuiltinESMExports();
