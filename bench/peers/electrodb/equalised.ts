import { readConfig } from '../../../lib/config.ts';
import { createClient } from '../../../lib/store/client.ts';
import { createReadAccess } from '../../../lib/store/read-access.ts';
import { handlerOn } from '../shared/whole/handler-on.ts';
import { updatesBy } from '../shared/whole/updates-by.ts';
import { Files } from './files.ts';
import { write } from './write.ts';

const client = createClient();
Files.setClient(client);

// Its batch read is of one entity and so of one table: the read is our own.
const readAccess = createReadAccess({
  client,
  config: readConfig(process.env),
  now: Date.now,
  random: Math.random,
});

/** Our function with electrodb for its write. */
export const handler = handlerOn({ readAccess, updateFile: updatesBy(write) });
