import * as z from 'zod';
import { Complaint } from '#local/complaint.ts';
import { parseOptions } from '#local/parse-options.ts';

/** Without `data` the demo data is loaded; without `db` the data is gone with the process. */
export type StartOptions = { port: number; data?: string; db?: string; log: boolean; help: boolean };

export const startUsage = `Usage: npm start -- [options]

  --port N     listen on http://localhost:N (default 3000; 0 picks a free port)
  --data FILE  load this JSON file instead of the demo data
  --db FILE    keep the data in this file; it survives a restart
  --log        show the function's own log too, as CloudWatch would get it
  --help       show this text

With AWS_ENDPOINT_URL_DYNAMODB set, that DynamoDB is used instead of the embedded engine.
`;

const PortSchema = z
  .string()
  .regex(/^\d{1,5}$/)
  .transform(Number)
  .refine((port) => port <= 65_535);

const options = {
  port: { type: 'string', default: '3000' },
  data: { type: 'string' },
  db: { type: 'string' },
  log: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/** Reads the command line of `npm start`. Throws a Complaint for what it does not know. */
export const readStartOptions = (args: string[]): StartOptions => {
  const { port, log, help, ...files } = parseOptions(args, 'npm start', options);
  const parsedPort = PortSchema.safeParse(port);
  if (!parsedPort.success) throw new Complaint('--port must be a number from 0 to 65535.');
  for (const [name, file] of Object.entries(files)) {
    if (file === '') throw new Complaint(`--${name} must name a file.`);
  }
  return { port: parsedPort.data, log, help, ...files };
};
