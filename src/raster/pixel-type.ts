/** The pixel types Swath computes with and writes. */
export type PixelType = 'uint8' | 'uint16' | 'int16' | 'float32';

/** The pixel types of files that Swath reads. */
export type SampleType = PixelType | 'int8' | 'uint32' | 'int32' | 'uint64' | 'int64' | 'float64';

/** One band's pixels, row by row. */
export type PixelArray =
  | Uint8Array
  | Int8Array
  | Uint16Array
  | Int16Array
  | Uint32Array
  | Int32Array
  | Float32Array
  | Float64Array;

/** Bytes of one sample in memory. */
export const bytesPerSample: Readonly<Record<SampleType, number>> = {
  uint8: 1,
  int8: 1,
  uint16: 2,
  int16: 2,
  uint32: 4,
  int32: 4,
  uint64: 8,
  int64: 8,
  float32: 4,
  float64: 8,
};

/**
 * Arrays by type. Everything downstream computes in floating point, so 64-bit integers are converted: exact up to 2⁵³,
 * rounded to the nearest beyond.
 */
const arrayTypes = {
  uint8: Uint8Array,
  int8: Int8Array,
  uint16: Uint16Array,
  int16: Int16Array,
  uint32: Uint32Array,
  int32: Int32Array,
  uint64: Float64Array,
  int64: Float64Array,
  float32: Float32Array,
  float64: Float64Array,
} as const;

/** A zeroed band of `length` samples. */
export function makePixels(type: SampleType, length: number): PixelArray {
  return new arrayTypes[type](length);
}

/** A view of samples in a buffer that may be larger. */
export function viewPixels(type: SampleType, buffer: ArrayBufferLike, length: number): PixelArray {
  // the constructors take shared memory as well, but as a union they are typed for one kind only
  return new arrayTypes[type](buffer as ArrayBuffer, 0, length);
}
