import type { Kernels } from './kernels.ts';

/**
 * Clears in a mask what another one lacks, four pixels at a time: planes begin at whole words and have room after them.
 */
export function keepCommon(
  kernels: Kernels,
  { maskAt, alsoAt, count }: { readonly maskAt: number; readonly alsoAt: number; readonly count: number },
): void {
  const words = Math.ceil(count / 4);
  const mask = new Int32Array(kernels.buffer(), maskAt, words);
  const also = new Int32Array(kernels.buffer(), alsoAt, words);
  for (let i = 0; i < words; i++) mask[i] = (mask[i] as number) & (also[i] as number);
}

/** Joins masks into the first of them and returns its address; several of them may be the same. */
export function joinMasks(kernels: Kernels, masksAt: readonly number[], count: number): number {
  const [maskAt = 0, ...others] = new Set(masksAt);
  for (const alsoAt of others) keepCommon(kernels, { maskAt, alsoAt, count });
  return maskAt;
}

/** Writes a value over the pixels of a plane that its mask leaves out or that are not a number. */
export function fillEmpty(
  kernels: Kernels,
  plane: { readonly valuesAt: number; readonly maskAt: number },
  { count, value }: { readonly count: number; readonly value: number },
): void {
  kernels.run.fillEmpty(plane.valuesAt, plane.maskAt, count, value);
}
