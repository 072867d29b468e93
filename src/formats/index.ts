export { encodeJpeg } from './jpeg.ts';
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
  toBlockNumber,
} from './tiff/index.ts';
export { encodeWebp } from './webp.ts';
