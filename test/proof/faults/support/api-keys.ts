/** The keys of a world; more than one, so that every read differs from some other. */
export const apiKeys = ['key-0', 'key-1', 'key-2', 'key-3'] as const;
