/** A header as it is sent, and what the contract calls it. */
export type Header = {
  readonly sent: string | undefined;
  readonly is: 'good' | 'missing' | 'malformed';
};

/** What a client means by a body that the contract accepts: absent is kept, null cleared, a string set. */
export type Patch = { readonly summary?: string | null; readonly documentKind?: string | null };

export type Refusal = {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** A body as it is sent; it was made together with what it means, so nothing has to parse it. */
export type Body = {
  readonly text: string | undefined;
  readonly isBase64Encoded: boolean;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly means: { readonly patch: Patch } | { readonly refusal: Refusal };
};

/** An If-Match as it is sent, and what the contract makes of it for the version that is stored. */
export type IfMatch = {
  readonly sent: string | undefined;
  readonly meets: (version: number) => boolean | 'unreadable';
};

export type ModelRequest = {
  readonly apiKey: Header;
  readonly tenant: Header;
  readonly user: Header;
  readonly spaceId: string;
  readonly fileId: string;
  readonly body: Body;
  readonly ifMatch: IfMatch;
};
