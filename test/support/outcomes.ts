import type { Outcome } from './outcomes/outcome.ts';
import { refusals } from './outcomes/refusals.ts';
import { updates } from './outcomes/updates.ts';

export type { Outcome };

/** One row per file of events/. */
export const outcomes: Readonly<Record<string, Outcome>> = { ...updates, ...refusals };
