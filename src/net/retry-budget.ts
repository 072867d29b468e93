/** Limits retries to a small share of the traffic, so that a failing store is not called more than a healthy one. */
export interface RetryBudget {
  /** Counts a first try. */
  earn(): void;
  /** Whether a retry may be made now. */
  canSpend(): boolean;
  /** True when a retry may be made; it is then counted. */
  spend(): boolean;
}

interface BudgetOptions {
  /** Retries a first try earns: 0.1 is one in ten. */
  readonly share: number;
  /** What there is at the start: enough for one read to use both its retries. */
  readonly initial: number;
  /** Max retries that can be saved up. */
  readonly max: number;
}

/** Builds the retry budget of one origin, 10 % of the traffic by default. */
export function makeRetryBudget({ share, initial, max }: BudgetOptions): RetryBudget {
  let balance = initial;
  // A sum of tenths is never exactly 1.
  const canSpend = (): boolean => balance >= 1 - 1e-9;
  return {
    earn() {
      balance = Math.min(max, balance + share);
    },
    canSpend,
    spend() {
      if (!canSpend()) return false;
      balance -= 1;
      return true;
    },
  };
}
