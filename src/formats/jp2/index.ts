export { isJp2 } from './boxes.ts';
export { type Jp2, openJp2 } from './jp2-reader.ts';
export { createJp2, type Jp2Options, type Jp2Pixels, type Jp2Writer } from './jp2-writer.ts';
export { type Jp2Decoder, makeJp2Decoder } from './openjpeg.ts';
export { type Jp2Encoder, makeJp2Encoder } from './openjpeg-encoder.ts';
export { readJp2Tile, type TilePlace } from './tile-reader.ts';
