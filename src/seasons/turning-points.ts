/** Where a curve turns, without the turns that are too small to mean anything. */

/** A span of a curve without gaps: positions of its first and its last value. */
export interface Span {
  readonly first: number;
  readonly last: number;
}

/** A high point of a span and the low points beside it, as positions. */
export interface Peak {
  readonly at: number;
  /** Null if the span begins on the peak's slope or on the peak: the low point before it is not known. */
  readonly left: number | null;
  /** Null if the curve has not fallen from the peak yet. */
  readonly right: number | null;
}

/** The spans of numbers between NaN. */
export function findSpans(values: Float64Array): readonly Span[] {
  const spans: Span[] = [];
  let first = -1;
  for (let i = 0; i <= values.length; i++) {
    const isKnown = i < values.length && !Number.isNaN(values[i]);
    if (isKnown && first < 0) first = i;
    if (!isKnown && first >= 0) {
      spans.push({ first, last: i - 1 });
      first = -1;
    }
  }
  return spans;
}

/**
 * Peaks of a span: between two of them the curve falls by at least `minFall`, and rises by as much again. One pass: a high
 * point counts once the curve has fallen below it by that much, a low point once it has risen above it.
 */
export function findPeaks(values: Float64Array, { first, last }: Span, minFall: number): readonly Peak[] {
  /** Turning points in order, lows and highs in turn. */
  const turns: { readonly at: number; readonly isHigh: boolean }[] = [];
  let [low, high] = [first, first];
  let direction: 'unknown' | 'up' | 'down' = 'unknown';
  for (let i = first; i <= last; i++) {
    const value = values[i]!;
    if (direction !== 'up' && value < values[low]!) low = i;
    if (direction !== 'down' && value > values[high]!) high = i;
    if (direction !== 'up' && value - values[low]! >= minFall) {
      turns.push({ at: low, isHigh: false });
      direction = 'up';
      high = i;
    } else if (direction !== 'down' && values[high]! - value >= minFall) {
      turns.push({ at: high, isHigh: true });
      direction = 'down';
      low = i;
    }
  }
  // What the curve was on its way to when it ended.
  if (direction === 'up') turns.push({ at: high, isHigh: true });
  if (direction === 'down') turns.push({ at: low, isHigh: false });
  return turns.flatMap(({ at, isHigh }, i) => {
    if (!isHigh) return [];
    return [{ at, left: turns[i - 1]?.at ?? null, right: turns[i + 1]?.at ?? null }];
  });
}
