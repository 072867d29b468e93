import { throwIfCancelled } from '../async/index.ts';
import { tooLarge } from './errors.ts';
import { readCsv } from './read/csv.ts';
import { readHead } from './read/file-chunks.ts';
import { findFormat, HEAD_BYTES } from './read/find-format.ts';
import { readGeoJson, readGeoJsonLines } from './read/geojson.ts';
import { readGeoPackage } from './read/geopackage.ts';
import { readGeoParquet } from './read/geoparquet.ts';
import { readKml } from './read/kml.ts';
import type { Reading } from './read/reading.ts';
import { readShapefile } from './read/shapefile.ts';
import type { FoundRow, ShapeFormat, ShapeRow, VectorLimits } from './shapes.ts';

/** The reader of each format. */
const READERS: Readonly<Record<ShapeFormat, (reading: Reading) => AsyncIterable<FoundRow>>> = {
  geojson: readGeoJson,
  geojsonseq: readGeoJsonLines,
  csv: readCsv,
  shapefile: readShapefile,
  geopackage: readGeoPackage,
  geoparquet: readGeoParquet,
  kml: readKml,
};

/** Options of `readShapes`. */
export interface ReadShapesOptions {
  /** Null: the content decides. */
  readonly format: ShapeFormat | null;
  readonly limits: VectorLimits;
  readonly signal?: AbortSignal;
}

/**
 * Reads a file of shapes row by row, with memory bounded by the limits. Coordinates in another reference system are
 * brought to WGS 84. A row that cannot be read is a row with a `fault`, and the file goes on; a file that cannot be read
 * throws `bad-input`, `unsupported` or `too-large`, possibly after some of its rows.
 */
export async function* readShapes(path: string, options: ReadShapesOptions): AsyncGenerator<ShapeRow> {
  const { limits, signal } = options;
  throwIfCancelled(signal);
  const { head } = await readHead(path, HEAD_BYTES, limits.maxBytes);
  const format = options.format ?? (await findFormat(path, head));
  let row = 0;
  for await (const found of READERS[format]({ path, limits, signal })) {
    row++;
    if (row > limits.maxRows)
      throw tooLarge('too-many-rows', `The file has more than ${limits.maxRows} rows.`, {
        details: { maxRows: limits.maxRows },
      });
    yield { row, ...found };
  }
}
