import type { WireError } from '../../../errors.ts';
import type { Operations } from './operations.ts';

/** One call of an operation, as it goes to a thread. */
export interface Question {
  readonly id: number;
  readonly name: keyof Operations;
  readonly args: readonly unknown[];
  /** When it was asked, by the clock that all threads share. */
  readonly askedMs: number;
}

/** What comes back. */
export type Answer =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: WireError };
