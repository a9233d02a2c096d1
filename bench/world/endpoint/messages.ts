import * as z from 'zod';

/** What the endpoint's process is told at its start. */
export const SettingsSchema = z.object({
  engine: z.string(),
  callMs: z.number(),
  counting: z.boolean(),
  certificate: z.optional(z.object({ key: z.string(), cert: z.string() })),
});
export type Settings = z.infer<typeof SettingsSchema>;

/** What it says once it listens. */
export const ListeningSchema = z.object({ port: z.number() });

/** What it counted since it was last asked; `operations` are the names of the calls in order, units are DynamoDB's. */
export const CountsSchema = z.object({
  operations: z.array(z.string()),
  readUnits: z.number(),
  writeUnits: z.number(),
});
export type Counts = z.infer<typeof CountsSchema>;
