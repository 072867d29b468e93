export { encodeGreyPng, encodeIndexedPng, encodePng } from './encode-png.ts';
export { encodePngStrip, type PngStrip, toPngStripsEnd, toPngStripsHead } from './png-strips.ts';
