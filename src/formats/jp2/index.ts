export { isJp2 } from './boxes.ts';
export { type Jp2, openJp2 } from './jp2-reader.ts';
export { type Jp2Decoder, makeJp2Decoder } from './openjpeg.ts';
export { readJp2Tile, type TilePlace } from './tile-reader.ts';
