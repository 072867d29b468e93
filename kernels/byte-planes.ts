/*
 * Sixteen little-endian samples of 2, 4 or 8 bytes, and the planes of their bytes: the most significant bytes first, and
 * those of the next plane `step` bytes further.
 */

// @ts-ignore: decorator
@inline export function joinPairs(planes: usize, to: usize, step: usize): void {
  const high = v128.load(planes);
  const low = v128.load(planes + step);
  v128.store(to, mixLower(low, high));
  v128.store(to, mixUpper(low, high), 16);
}

// @ts-ignore: decorator
@inline export function joinFours(planes: usize, to: usize, step: usize): void {
  const first = v128.load(planes);
  const second = v128.load(planes + step);
  const third = v128.load(planes + 2 * step);
  const fourth = v128.load(planes + 3 * step);
  const lowerLow = mixLower(fourth, third);
  const lowerHigh = mixLower(second, first);
  const upperLow = mixUpper(fourth, third);
  const upperHigh = mixUpper(second, first);
  v128.store(to, i16x8.shuffle(lowerLow, lowerHigh, 0, 8, 1, 9, 2, 10, 3, 11));
  v128.store(to, i16x8.shuffle(lowerLow, lowerHigh, 4, 12, 5, 13, 6, 14, 7, 15), 16);
  v128.store(to, i16x8.shuffle(upperLow, upperHigh, 0, 8, 1, 9, 2, 10, 3, 11), 32);
  v128.store(to, i16x8.shuffle(upperLow, upperHigh, 4, 12, 5, 13, 6, 14, 7, 15), 48);
}

/** The halves of the samples are joined first, at the address of the samples. */
// @ts-ignore: decorator
@inline export function joinEights(planes: usize, to: usize, step: usize): void {
  joinFours(planes + 4 * step, to, step);
  joinFours(planes, to + 64, step);
  const low1 = v128.load(to, 16);
  const low2 = v128.load(to, 32);
  const low3 = v128.load(to, 48);
  const high0 = v128.load(to, 64);
  const high1 = v128.load(to, 80);
  const high2 = v128.load(to, 96);
  storeEights(to, v128.load(to), high0);
  storeEights(to + 32, low1, high1);
  storeEights(to + 64, low2, high2);
  storeEights(to + 96, low3, v128.load(to, 112));
}

// @ts-ignore: decorator
@inline function storeEights(to: usize, low: v128, high: v128): void {
  v128.store(to, i32x4.shuffle(low, high, 0, 4, 1, 5));
  v128.store(to, i32x4.shuffle(low, high, 2, 6, 3, 7), 16);
}

// @ts-ignore: decorator
@inline function mixLower(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}

// @ts-ignore: decorator
@inline function mixUpper(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
}

// @ts-ignore: decorator
@inline export function splitPairs(from: usize, planes: usize, step: usize): void {
  storePairs(v128.load(from), v128.load(from, 16), planes, step);
}

// @ts-ignore: decorator
@inline export function splitFours(from: usize, planes: usize, step: usize): void {
  storeFours(v128.load(from), v128.load(from, 16), v128.load(from, 32), v128.load(from, 48), planes, step);
}

// @ts-ignore: decorator
@inline export function splitEights(from: usize, planes: usize, step: usize): void {
  const a = v128.load(from);
  const b = v128.load(from, 16);
  const c = v128.load(from, 32);
  const d = v128.load(from, 48);
  const e = v128.load(from, 64);
  const f = v128.load(from, 80);
  const g = v128.load(from, 96);
  const h = v128.load(from, 112);
  storeFours(oddWords(a, b), oddWords(c, d), oddWords(e, f), oddWords(g, h), planes, step);
  storeFours(evenWords(a, b), evenWords(c, d), evenWords(e, f), evenWords(g, h), planes + 4 * step, step);
}

/** Planes are written in their order: of short rows, each one overwrites what the one before wrote too much. */
// @ts-ignore: decorator
@inline function storeFours(a: v128, b: v128, c: v128, d: v128, planes: usize, step: usize): void {
  storePairs(oddShorts(a, b), oddShorts(c, d), planes, step);
  storePairs(evenShorts(a, b), evenShorts(c, d), planes + 2 * step, step);
}

// @ts-ignore: decorator
@inline function storePairs(a: v128, b: v128, planes: usize, step: usize): void {
  v128.store(planes, i8x16.shuffle(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31));
  v128.store(planes + step, i8x16.shuffle(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30));
}

// @ts-ignore: decorator
@inline function oddShorts(a: v128, b: v128): v128 {
  return i16x8.shuffle(a, b, 1, 3, 5, 7, 9, 11, 13, 15);
}

// @ts-ignore: decorator
@inline function evenShorts(a: v128, b: v128): v128 {
  return i16x8.shuffle(a, b, 0, 2, 4, 6, 8, 10, 12, 14);
}

// @ts-ignore: decorator
@inline function oddWords(a: v128, b: v128): v128 {
  return i32x4.shuffle(a, b, 1, 3, 5, 7);
}

// @ts-ignore: decorator
@inline function evenWords(a: v128, b: v128): v128 {
  return i32x4.shuffle(a, b, 0, 2, 4, 6);
}
