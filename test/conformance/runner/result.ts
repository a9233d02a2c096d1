/** A request that was not answered as the contract has it, in words; without any key. */
export type ApiError = { readonly sent: string; readonly expected: string; readonly got: string };

export type Outcome =
  | { readonly kind: 'passed' }
  | { readonly kind: 'failed'; readonly failure: ApiError }
  | { readonly kind: 'skipped'; readonly reason: string }
  /** The run broke off before it. */
  | { readonly kind: 'not run'; readonly reason: string };

/** What came of one case. */
export type Result = {
  readonly group: string;
  readonly name: string;
  readonly ms: number;
  readonly outcome: Outcome;
};

export const passed: Outcome = { kind: 'passed' };

export const failed = (failure: ApiError): Outcome => ({ kind: 'failed', failure });

export const notRun = (reason: string): Outcome => ({ kind: 'not run', reason });

export const skipped = (reason: string): Outcome => ({ kind: 'skipped', reason });
