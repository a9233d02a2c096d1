/** The files of the world that cases are about, each in a space of its own kind: docs/contract.md, Shapes. */
export type FileName = 'detailed' | 'basic' | 'private';

/** The two fields that the operation changes. */
export type Editable = { readonly summary: string | null; readonly documentKind: string | null };

/** A part that is absent is sent as a client that does everything right would send it. Texts hold placeholders. */
export type Sent = {
  readonly method?: string;
  /** The path segments; `path` takes the place of the whole path below the base URL. */
  readonly space?: string;
  readonly file?: string;
  readonly path?: string;
  readonly query?: string;
  /** Over the usual ones: null leaves one out, a list sends it more than once. Names go out as they stand here. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | null>>;
  /** The bytes as they are, without placeholders; null sends none. */
  readonly body?: string | Uint8Array | null;
  /** Sends the body in chunks, its length unannounced. */
  readonly chunked?: boolean;
};

/** What must come back. The body is compared whole. */
export type Expected = {
  /** '4xx' where the contract leaves the answer to the gateway: any refusal, with any body. */
  readonly status: number | '4xx';
  /** The body is exactly `{"message": …}`. */
  readonly message?: string;
  /** The body is the file in its whole shape, with these two values. */
  readonly file?: Editable;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body has the bytes of the answer before it. */
  readonly sameBytes?: true;
};

export type Step = { readonly send: Sent; readonly expect: Expected };

/** One sentence of the contract, and the requests that show it. Begins with the file as `before`. */
export type Case = { readonly name: string; readonly file?: FileName } & (
  | Step
  | { readonly steps: readonly Step[] }
);

export type Group = { readonly title: string; readonly cases: readonly Case[] };

/** What every file holds when a case begins. */
export const before: Editable = { summary: 'Before.', documentKind: 'before' };

export const stepsOf = (given: Case): readonly Step[] => ('steps' in given ? given.steps : [given]);

export const fileOf = ({ file = 'detailed' }: Case): FileName => file;
