/** As NumPy's, of values that may be NaN, which do not count: linear between the two that it lies between. */
export function percentile(values: Iterable<number>, percent: number): number {
  const sorted = Float64Array.from(values)
    .filter((value) => !Number.isNaN(value))
    .sort();
  const rank = (percent / 100) * (sorted.length - 1);
  const below = sorted[Math.floor(rank)]!;
  return below + (rank - Math.floor(rank)) * (sorted[Math.ceil(rank)]! - below);
}
