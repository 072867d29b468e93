/** The TIFF tags we read or write (TIFF 6.0, its technical note 3, GeoTIFF 1.1, and GDAL's two private ones). */
export const TAG = {
  newSubfileType: 254,
  imageWidth: 256,
  imageLength: 257,
  bitsPerSample: 258,
  compression: 259,
  photometric: 262,
  fillOrder: 266,
  stripOffsets: 273,
  samplesPerPixel: 277,
  rowsPerStrip: 278,
  stripByteCounts: 279,
  planarConfiguration: 284,
  predictor: 317,
  colorMap: 320,
  tileWidth: 322,
  tileLength: 323,
  tileOffsets: 324,
  tileByteCounts: 325,
  extraSamples: 338,
  sampleFormat: 339,
  jpegTables: 347,
  modelPixelScale: 33550,
  modelTiepoint: 33922,
  modelTransformation: 34264,
  geoKeyDirectory: 34735,
  geoDoubles: 34736,
  geoAscii: 34737,
  gdalMetadata: 42112,
  gdalNodata: 42113,
  lercParameters: 50674,
} as const;

/** Field types by their number in the file; LONG8 exists in BigTIFF only. */
export const FIELD = { byte: 1, ascii: 2, short: 3, long: 4, undefined: 7, double: 12, long8: 16 } as const;

/** Bytes of one value of a field type; types that are never read are listed because their size is needed too. */
export const fieldBytes: ReadonlyMap<number, number> = new Map([
  [1, 1],
  [2, 1],
  [3, 2],
  [4, 4],
  [5, 8],
  [6, 1],
  [7, 1],
  [8, 2],
  [9, 4],
  [10, 8],
  [11, 4],
  [12, 8],
  [13, 4],
  [16, 8],
  [17, 8],
  [18, 8],
]);

/** Bits of NewSubfileType. */
export const SUBFILE = { reduced: 1, mask: 4 } as const;

/** One tag of a directory to be written. */
export interface IfdEntry {
  readonly tag: number;
  readonly type: number;
  readonly values: ArrayLike<number>;
}

/** A text tag: UTF-8 with the NUL that TIFF requires. */
export const asciiEntry = (tag: number, text: string): IfdEntry => ({
  tag,
  type: FIELD.ascii,
  values: Buffer.from(`${text}\0`, 'utf8'),
});

/** Sizes that differ between classic TIFF and BigTIFF. */
const sizesOf = (bigTiff: boolean) =>
  bigTiff ? { count: 8, entry: 20, next: 8, inline: 8 } : { count: 2, entry: 12, next: 4, inline: 4 };

/** Bytes of a tag's values. */
const valueBytes = (entry: IfdEntry): number => entry.values.length * fieldBytes.get(entry.type)!;

/** Bytes of a tag's values outside the directory; 0 when they fit into the entry. */
export function outsideBytes(entry: IfdEntry, bigTiff: boolean): number {
  const bytes = valueBytes(entry);
  return bytes <= sizesOf(bigTiff).inline ? 0 : bytes;
}

/** Bytes of a directory with `entryCount` tags, without values outside. */
export function directoryBytes(entryCount: number, bigTiff: boolean): number {
  const { count, entry, next } = sizesOf(bigTiff);
  return count + entryCount * entry + next;
}

function writeValues(view: DataView, at: number, { type, values }: IfdEntry): void {
  const size = fieldBytes.get(type)!;
  for (let i = 0; i < values.length; i++) {
    const position = at + i * size;
    const value = values[i]!;
    if (type === FIELD.short) view.setUint16(position, value, true);
    else if (type === FIELD.long) view.setUint32(position, value, true);
    else if (type === FIELD.double) view.setFloat64(position, value, true);
    else if (type === FIELD.long8) view.setBigUint64(position, BigInt(value), true);
    else view.setUint8(position, value);
  }
}

/** A directory and where its parts go. */
export interface PlacedDirectory {
  readonly at: number;
  /** In ascending order of tags. */
  readonly entries: readonly IfdEntry[];
  /** Where the values outside begin, by tag. */
  readonly outside: ReadonlyMap<number, number>;
  /** Position of the next directory, 0 for the last. */
  readonly next: number;
}

/** Writes a directory and all its values into the head of the file, little-endian. */
export function writeDirectory(view: DataView, directory: PlacedDirectory, bigTiff: boolean): void {
  const sizes = sizesOf(bigTiff);
  const writeOffset = (at: number, value: number) =>
    bigTiff ? view.setBigUint64(at, BigInt(value), true) : view.setUint32(at, value, true);
  let at = directory.at;
  if (bigTiff) view.setBigUint64(at, BigInt(directory.entries.length), true);
  else view.setUint16(at, directory.entries.length, true);
  at += sizes.count;
  for (const entry of directory.entries) {
    view.setUint16(at, entry.tag, true);
    view.setUint16(at + 2, entry.type, true);
    writeOffset(at + 4, entry.values.length);
    const valueAt = at + sizes.entry - sizes.inline;
    const outside = directory.outside.get(entry.tag);
    if (outside === undefined) writeValues(view, valueAt, entry);
    else {
      writeOffset(valueAt, outside);
      writeValues(view, outside, entry);
    }
    at += sizes.entry;
  }
  writeOffset(at, directory.next);
}
