export { encodeJpeg } from './encode-jpeg.ts';
export { encodeJpegStrip, toJpegStripEnd, toJpegStripsHead } from './jpeg-strips.ts';
