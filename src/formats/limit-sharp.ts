import sharp from 'sharp';

/** Keeps the picture library modest: a pixel thread does one thing at a time, and has a cache of its own for blocks. */
export function limitSharp(): void {
  sharp.cache(false);
  sharp.concurrency(1);
}
