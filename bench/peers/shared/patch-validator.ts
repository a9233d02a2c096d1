import type { FilePatch } from './records.ts';

/** What zod's and zod/mini's schema of the body have in common. */
export type PatchValidator = {
  readonly safeParse: (body: unknown) =>
    | { readonly success: true; readonly data: FilePatch }
    | {
        readonly success: false;
        readonly error: { readonly issues: readonly { readonly message: string }[] };
      };
};
