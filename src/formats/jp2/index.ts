export { isJp2 } from './headers/boxes.ts';
export { type Jp2Decoder, makeJp2Decoder } from './openjpeg/openjpeg-decoder.ts';
export { type Jp2Encoder, makeJp2Encoder } from './openjpeg/openjpeg-encoder.ts';
export { type Jp2, openJp2 } from './reader/jp2-reader.ts';
export { readJp2Tile, type TilePosition } from './reader/tile-reader.ts';
export { createJp2, type Jp2Options, type Jp2Pixels, type Jp2Writer } from './writer/jp2-writer.ts';
