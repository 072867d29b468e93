/** The pixel types Swath computes with and writes. */
export type PixelType = 'uint8' | 'uint16' | 'int16' | 'float32';

/** One band's pixels, row by row. */
export type PixelArray = Uint8Array | Uint16Array | Int16Array | Float32Array;

/** Bytes of one sample. */
export const bytesPerSample: Readonly<Record<PixelType, number>> = {
  uint8: 1,
  uint16: 2,
  int16: 2,
  float32: 4,
};

/** A zeroed band of `length` samples. */
export function makePixels(type: PixelType, length: number): PixelArray {
  switch (type) {
    case 'uint8':
      return new Uint8Array(length);
    case 'uint16':
      return new Uint16Array(length);
    case 'int16':
      return new Int16Array(length);
    case 'float32':
      return new Float32Array(length);
  }
}
