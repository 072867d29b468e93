/** What the two sides of `npm run flow` say to each other. */

/**
 * `forget` what ran so far; `rest`: what ran since then ran for no request; `order`: what ran since then ran for `REPEATS`
 * requests; `report` the files.
 */
export type FlowQuestion = 'forget' | 'rest' | 'order' | 'report';

/** Requests that are counted: enough to tell them from timers. */
export const REPEATS = 8;

/** A source file, and when it was first called, by the clock of the machine. */
export interface FlowCall {
  readonly file: string;
  readonly atMs: number;
}
