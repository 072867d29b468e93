/** What the two sides of `npm run flow` say to each other. */

/**
 * `forget` the calls so far; `rest`: the calls since then were made for no request; `order`: the calls since then were made
 * for `REPEATS` requests; `report` the files.
 */
export type FlowQuestion = 'forget' | 'rest' | 'order' | 'report';

/** A question; with `order`, how many times longer the time of the requests was than that of the rest. */
export interface FlowMessage {
  readonly question: FlowQuestion;
  readonly timesRest?: number;
}

/** Requests that are counted: enough to tell them from timers. */
export const REPEATS = 8;

/** A source file, its functions that ran, and when they were called, in milliseconds since 1970; calls within one are one. */
export interface FlowCalls {
  readonly file: string;
  readonly functions: readonly string[];
  readonly atMs: readonly number[];
}
