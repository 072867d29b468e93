export { type Jp2Decoder, makeJp2Decoder } from './openjpeg/openjpeg-decoder.ts';
export { type Jp2Encoder, makeJp2Encoder } from './openjpeg/openjpeg-encoder.ts';
export { encodeJp2Tile } from './writer/encode-tile.ts';
export type { Jp2Options } from './writer/jp2-options.ts';
export { createJp2, type Jp2Writer } from './writer/jp2-writer.ts';
export { writeJp2 } from './writer/write-jp2.ts';
export { type EncodedTile, planDecompositions, type WrittenImage } from './writer/written-codestream.ts';
