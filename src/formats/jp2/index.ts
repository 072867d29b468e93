export { type Jp2Encoder, makeJp2Encoder } from './encode-tile.ts';
export { createJp2, encodeJp2Tile, type Jp2Options, type Jp2Writer, writeJp2 } from './jp2-writer.ts';
export { type Jp2Decoder, makeJp2Decoder } from './openjpeg.ts';
export { type EncodedTile, planDecompositions, type WrittenImage } from './written-file.ts';
