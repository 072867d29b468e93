/**
 * The set pixels of a mask as runs: the first pixel and the one after the last, one run after the other. Of a field they
 * are a hundredth of the mask.
 */
export type AreaSpans = Uint32Array;

/** The runs of a mask of ones and zeros. */
export function toSpans(mask: Uint8Array): AreaSpans {
  const found: number[] = [];
  for (let at = mask.indexOf(1); at >= 0; ) {
    const zero = mask.indexOf(0, at);
    const until = zero < 0 ? mask.length : zero;
    found.push(at, until);
    at = mask.indexOf(1, until);
  }
  return Uint32Array.from(found);
}

/** How many pixels lie in runs. */
export function countPixels(spans: AreaSpans): number {
  let count = 0;
  for (let i = 0; i < spans.length; i += 2) count += (spans[i + 1] as number) - (spans[i] as number);
  return count;
}
