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
