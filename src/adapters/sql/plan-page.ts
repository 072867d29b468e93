/** How many scenes match on a day. */
export interface DayCount {
  readonly day: string;
  readonly n: number;
}

/** Where a page begins when hits are sorted by date. */
export interface PagePlan {
  readonly found: number;
  /** The day of the page's first hit; null when the page lies behind the last hit. */
  readonly firstDay: string | null;
  /** Hits of that day that belong to pages before. */
  readonly skip: number;
}

/**
 * Finds the day on which a page begins. Counting by day costs no more than counting, and saves a deep page from
 * walking over all hits before it.
 */
export function planPage(
  counts: readonly DayCount[],
  { offset, descending }: { readonly offset: number; readonly descending: boolean },
): PagePlan {
  const byDay = new Map<string, number>();
  for (const { day, n } of counts) byDay.set(day, (byDay.get(day) ?? 0) + n);
  const days = [...byDay].sort(([a], [b]) => (a < b === descending ? 1 : -1));
  let found = 0;
  let first: { readonly firstDay: string; readonly skip: number } | undefined;
  for (const [day, n] of days) {
    if (first === undefined && offset < found + n) first = { firstDay: day, skip: offset - found };
    found += n;
  }
  return { found, ...(first ?? { firstDay: null, skip: 0 }) };
}
