import type { PixelType } from '../../raster/index.ts';

/** SampleFormat and BitsPerSample of a pixel type: one row for each type that we read and write. */
interface SampleFormat {
  readonly type: PixelType;
  readonly format: number;
  readonly bits: number;
  readonly min: number;
  readonly max: number;
}

const FLOAT32_MAX = 3.4028234663852886e38;

const sampleFormats: readonly SampleFormat[] = [
  { type: 'uint8', format: 1, bits: 8, min: 0, max: 255 },
  { type: 'uint16', format: 1, bits: 16, min: 0, max: 65_535 },
  { type: 'int16', format: 2, bits: 16, min: -32_768, max: 32_767 },
  { type: 'float32', format: 3, bits: 32, min: -FLOAT32_MAX, max: FLOAT32_MAX },
];

/** The row of a pixel type. */
export function sampleFormatOf(type: PixelType): SampleFormat {
  return sampleFormats.find((row) => row.type === type)!;
}

/** The pixel type of a file's numbers; null when it is none of ours. */
export function toPixelType(format: number, bits: number): PixelType | null {
  return sampleFormats.find((row) => row.format === format && row.bits === bits)?.type ?? null;
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
