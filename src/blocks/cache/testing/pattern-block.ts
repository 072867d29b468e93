import type { BlockKey, CachedBlock } from '../cached-block.ts';
import { toFileKey } from '../cached-block.ts';

const file = toFileKey(['pattern']);

/** The key of the nth block of the tests' file. */
export const toKey = (number: number): BlockKey => ({ file, level: 0, number });

const valueAt = (number: number, i: number): number => (number * 2_654_435 + i * 40_503) & 0xffff;

/** A block of `samples` pixels, each of which identifies the block; every third block has a mask. */
export function makePatternBlock(number: number, samples: number): CachedBlock {
  const pixels = new Uint16Array(samples);
  for (let i = 0; i < samples; i += 1) pixels[i] = valueAt(number, i);
  const block = { width: samples, height: 1, firstBand: 0, bandCount: 1, type: 'uint16' as const, pixels };
  return { block, mask: number % 3 === 0 ? new Uint8Array(samples).fill(number & 0xff) : null };
}

/** Whether every sample is the one that `makePatternBlock` wrote. */
export function isPatternBlock(number: number, { block, mask }: CachedBlock): boolean {
  const { pixels } = block;
  for (let i = 0; i < pixels.length; i += 1) if (pixels[i] !== valueAt(number, i)) return false;
  if ((mask === null) === (number % 3 === 0)) return false;
  if (mask === null) return true;
  for (let i = 0; i < mask.length; i += 1) if (mask[i] !== (number & 0xff)) return false;
  return mask.length === pixels.length;
}
