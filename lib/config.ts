import * as z from 'zod/mini';
import { Fault } from '#lib/domain/fault.ts';

const ConfigSchema = z.pipe(
  z.object({
    API_KEYS_TABLE: z.string().check(z.minLength(1)),
    SPACES_TABLE: z.string().check(z.minLength(1)),
    FILES_TABLE: z.string().check(z.minLength(1)),
  }),
  z.transform(({ API_KEYS_TABLE, SPACES_TABLE, FILES_TABLE }) => ({
    apiKeysTable: API_KEYS_TABLE,
    spacesTable: SPACES_TABLE,
    filesTable: FILES_TABLE,
  })),
);

/** The names of the three tables. */
export type Config = z.infer<typeof ConfigSchema>;

/**
 * Reads the settings from environment variables. The endpoint, the Region and the credentials are the SDK's own
 * (AWS_ENDPOINT_URL_DYNAMODB, AWS_REGION, ...).
 *
 * @throws {Fault} naming every variable that is missing or empty
 */
export const readConfig = (env: Readonly<Record<string, string | undefined>>): Config => {
  const parsed = ConfigSchema.safeParse(env);
  if (parsed.success) return parsed.data;
  throw new Fault(`not set: ${parsed.error.issues.map(({ path }) => path.join()).join(', ')}`);
};
