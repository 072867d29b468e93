export { encodeIndexedPng, encodePng } from './encode-png.ts';
