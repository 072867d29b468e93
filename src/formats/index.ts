export { type BlockFile, type BlockImage, openBlockFile } from './block-file.ts';
export { type Jp2Decoder, makeJp2Decoder } from './jp2/index.ts';
export { encodeJpeg } from './jpeg.ts';
export { limitSharp } from './limit-sharp.ts';
export type { RgbaPicture } from './picture.ts';
export { encodePng } from './png.ts';
export {
  type BandInfo,
  type Block,
  type BlockPlace,
  type CogCompression,
  type CogOptions,
  type CogResult,
  type CogWriter,
  createCog,
  type OverviewMethod,
  openTiff,
  readBlock,
  type Tiff,
  type TiffImage,
  toBandPixels,
} from './tiff/index.ts';
export { encodeWebp } from './webp.ts';
