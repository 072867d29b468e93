export type { CogResult } from './cog-assembly.ts';
export type { CogOptions } from './cog-options.ts';
export { type CogWriter, createCog } from './cog-writer.ts';
export {
  type CopiedBand,
  type CopiedBlocks,
  type CopiedCog,
  type CopiedMain,
  type CopyOptions,
  planCopiedCog,
  planCopiedMain,
} from './copied-cog.ts';
export { encodeCogPart, encodeCogTop, estimatePartBytes, listBlocks, makePartRoom } from './encode-part.ts';
export { type EncodedBlocks, transferOf } from './encoded-blocks.ts';
export { createPartedCog } from './parted-cog.ts';
export {
  type CogPart,
  estimateCogBytes,
  makeTopPixels,
  type PartedCog,
  planCogParts,
} from './plan-cog-parts.ts';
