/**
 * A smooth line through measurements on some days: the Whittaker smoother with second differences (Whittaker 1923; Eilers,
 * "A perfect smoother", 2003). Of all lines z it is the one with the smallest Σ w·(y − z)² + λ·Σ (Δ²z)², a value for each day.
 */

/**
 * The default λ, in days⁴. With a measurement each day it halves waves of 35 days (2π·λ^¼); with one each five days, as Sentinel-2 has
 * them, those of 53 days: a crop's year stays, the flicker of haze does not.
 */
export const SMOOTHNESS = 1000;

/** The line for each of `values.length` days; days without a measurement have weight 0. At least one weight must not be 0. */
export const smoothDays = (
  values: ArrayLike<number>,
  weights: ArrayLike<number>,
  smoothness = SMOOTHNESS,
): Float64Array => {
  const count = values.length;
  const at = (list: ArrayLike<number>, i: number): number => list[i] ?? 0;
  // (W + λ·D'D)·z = W·y has five diagonals: LDL' without pivoting, which a positive matrix does not need.
  const [diagonal, first, second] = [
    new Float64Array(count),
    new Float64Array(count),
    new Float64Array(count),
  ];
  const line = new Float64Array(count);
  // D'D adds (1, −2, 1)'(1, −2, 1) for every three days in a row.
  const main = Float64Array.from({ length: count }, (_, i) => at(weights, i));
  const [next, afterNext] = [new Float64Array(count), new Float64Array(count)];
  const row = [1, -2, 1];
  for (let i = 0; i + 2 < count; i++) {
    for (let a = 0; a < 3; a++) {
      main[i + a] = at(main, i + a) + smoothness * (row[a] ?? 0) ** 2;
      if (a < 2) next[i + a] = at(next, i + a) + smoothness * (row[a] ?? 0) * (row[a + 1] ?? 0);
    }
    afterNext[i] = smoothness;
  }
  for (let i = 0; i < count; i++) {
    const [d1, d2] = [at(diagonal, i - 1), at(diagonal, i - 2)];
    const [l1, m1, m2] = [at(first, i - 1), at(second, i - 1), at(second, i - 2)];
    // A single day, or two, have no second difference: without a measurement their equation is empty.
    const pivot = at(main, i) - d1 * l1 * l1 - d2 * m2 * m2 || Number.MIN_VALUE;
    diagonal[i] = pivot;
    first[i] = (at(next, i) - d1 * l1 * m1) / pivot;
    second[i] = at(afterNext, i) / pivot;
    line[i] = at(weights, i) * at(values, i) - l1 * at(line, i - 1) - m2 * at(line, i - 2);
  }
  for (let i = 0; i < count; i++) line[i] = at(line, i) / at(diagonal, i);
  for (let i = count - 2; i >= 0; i--) {
    line[i] = at(line, i) - at(first, i) * at(line, i + 1) - at(second, i) * at(line, i + 2);
  }
  return line;
};
