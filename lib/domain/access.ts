import type { ApiKeyRecord } from './api-key.ts';
import type { SpaceRecord } from './space.ts';

/** What a caller names: the key, and a space of a tenant. */
export type AccessQuery = { readonly apiKey: string; readonly tenantId: string; readonly spaceId: string };

/** The records that decide access, as far as they exist. */
export type Access = { readonly apiKey: ApiKeyRecord | undefined; readonly space: SpaceRecord | undefined };
