export { type CogResult, type CogWriter, createCog } from './cog-writer.ts';
export {
  type CopiedBand,
  type CopiedBlocks,
  type CopiedCog,
  type CopiedMain,
  type CopyOptions,
  planCopiedCog,
  planCopiedMain,
} from './copied-cog.ts';
export { type EncodedBlocks, transferOf } from './encode-block.ts';
export { encodeCogPart, encodeCogTop, estimatePartBytes, listBlocks, makePartRoom } from './encode-part.ts';
export {
  type CogPart,
  createPartedCog,
  estimateCogBytes,
  makeTopPixels,
  type PartedCog,
  planCogParts,
} from './parted-cog.ts';
export type { CogOptions } from './plan-cog.ts';
