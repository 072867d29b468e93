import type { SampleType } from '../../../raster/index.ts';

/** SampleFormat and BitsPerSample of a pixel type, and its range: one row for each type. */
interface SampleFormat {
  readonly type: SampleType;
  readonly format: number;
  readonly bits: number;
  readonly min: number;
  readonly max: number;
}

const FLOAT32_MAX = 3.4028234663852886e38;

/** Of 64-bit integers, the ends are those that a pixel of ours can hold: the nearest floating-point numbers. */
const sampleFormats: readonly SampleFormat[] = [
  { type: 'uint8', format: 1, bits: 8, min: 0, max: 255 },
  { type: 'int8', format: 2, bits: 8, min: -128, max: 127 },
  { type: 'uint16', format: 1, bits: 16, min: 0, max: 65_535 },
  { type: 'int16', format: 2, bits: 16, min: -32_768, max: 32_767 },
  { type: 'uint32', format: 1, bits: 32, min: 0, max: 2 ** 32 - 1 },
  { type: 'int32', format: 2, bits: 32, min: -(2 ** 31), max: 2 ** 31 - 1 },
  { type: 'uint64', format: 1, bits: 64, min: 0, max: 2 ** 64 },
  { type: 'int64', format: 2, bits: 64, min: -(2 ** 63), max: 2 ** 63 },
  { type: 'float32', format: 3, bits: 32, min: -FLOAT32_MAX, max: FLOAT32_MAX },
  { type: 'float64', format: 3, bits: 64, min: -Number.MAX_VALUE, max: Number.MAX_VALUE },
];

/** The row of a pixel type. */
export function sampleFormatOf(type: SampleType): SampleFormat {
  return sampleFormats.find((row) => row.type === type)!;
}

/** The smallest type that holds unsigned samples of an odd depth: the one GDAL gives them. */
function packedType(bits: number): SampleType | null {
  if (!Number.isInteger(bits) || bits < 1 || bits > 31) return null;
  if (bits < 8) return 'uint8';
  return bits < 16 ? 'uint16' : 'uint32';
}

/** The pixel type of a file's numbers; null if it is not supported. */
export function toSampleType(format: number, bits: number): SampleType | null {
  // untyped samples are read as unsigned, as GDAL does
  const known = format === 4 ? 1 : format;
  const whole = sampleFormats.find((row) => row.format === known && row.bits === bits);
  if (whole !== undefined) return whole.type;
  if (known === 3 && bits === 16) return 'float32';
  return known === 1 ? packedType(bits) : null;
}

const FORMAT_NAMES = [
  '',
  'unsigned integer',
  'signed integer',
  'float',
  'untyped',
  'complex integer',
  'complex float',
];

/** A file's numbers in words, for the sentence that says what we cannot read. */
export function sampleFormatName(format: number, bits: number): string {
  return `${bits}-bit ${FORMAT_NAMES[format] ?? `format-${format}`}`;
}
