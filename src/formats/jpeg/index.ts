export { encodeJpeg } from './encode-jpeg.ts';
