export { bytesPerSample, makePixels, type PixelArray, type PixelType } from './pixel-type.ts';
