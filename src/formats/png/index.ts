export { encodeGreyPng, encodeIndexedPng, encodePng } from './encode-png.ts';
