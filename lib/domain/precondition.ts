/** What the client requires of the stored version: the parsed If-Match. */
export type Precondition =
  | { readonly kind: 'none' }
  | { readonly kind: 'versions'; readonly versions: readonly number[] }
  | { readonly kind: 'unreadable' };

/** Whether the stored version is one the client asked for. An unreadable precondition matches nothing. */
export const holds = (precondition: Precondition, version: number): boolean =>
  precondition.kind === 'none' ||
  (precondition.kind === 'versions' && precondition.versions.includes(version));
