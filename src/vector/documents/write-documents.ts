import { ParquetWriter } from 'hyparquet-writer';
import { boxOf } from '../geometry/bounds.ts';
import { toWkb } from '../geometry/wkb.ts';
import type { ShapeGeometry } from '../shapes.ts';
import type { Column } from '../tables.ts';
import { makeGeoMetadata } from '../write/geo-metadata.ts';
import { COMPRESSORS, Drain } from '../write/parquet-types.ts';
import type { Document, DocumentShape } from './document-shape.ts';

/** A row group is written when it has this many documents or characters: it is held in memory until then. */
const GROUP = { documents: 4_096, characters: 32 * 2 ** 20 } as const;

/** The column of shapes. */
const GEOMETRY: Column = { name: 'geometry', type: 'geometry' };

interface WriteDocumentsOptions {
  /** Columns whose smallest and largest values are written, so that readers skip row groups by them. */
  readonly indexed: (column: string) => boolean;
  /** More metadata of the file; called after the last document. */
  readonly metadata: () => Readonly<Record<string, string>>;
}

/** A document whose field `geometry` holds a GeoJSON geometry as the writer takes it: as well-known binary. */
export const toGeoDocument = (document: Document): Document => ({
  ...document,
  geometry: toWkb(document.geometry as ShapeGeometry),
});

/**
 * Writes documents as GeoParquet 1.1, row group by row group; memory is bounded by one. Each has the field `geometry`, a
 * GeoJSON geometry in longitude and latitude, and `bbox`, a structure of `xmin`, `ymin`, `xmax` and `ymax`. The shape must
 * have noted all of them, by `toGeoDocument`.
 */
export async function* streamDocuments(
  documents: AsyncIterable<Document>,
  shape: DocumentShape,
  { indexed, metadata }: WriteDocumentsOptions,
): AsyncGenerator<Uint8Array> {
  const output = new Drain(1 << 20);
  const geo = makeGeoMetadata(GEOMETRY.name);
  const { columns } = shape;
  const writer = new ParquetWriter({
    writer: output,
    schema: shape.toSchema(),
    codec: 'ZSTD',
    compressors: COMPRESSORS,
    createdBy: 'swath',
  });
  let rows: Readonly<Record<string, unknown>>[] = [];
  let characters = 0;
  const flush = (): Uint8Array => {
    const columnData = columns.map((name) => ({
      name,
      data: rows.map((row) => row[name] ?? null),
      statistics: indexed(name),
      offsetIndex: false,
    }));
    if (rows.length > 0) void writer.write({ columnData, rowGroupSize: rows.length });
    rows = [];
    characters = 0;
    return output.drain();
  };
  for await (const document of documents) {
    const geometry = document.geometry as ShapeGeometry;
    geo.note(geometry, boxOf(geometry));
    const row = shape.toRow(toGeoDocument(document));
    rows.push(row);
    characters += countCharacters(row);
    if (rows.length >= GROUP.documents || characters >= GROUP.characters) yield flush();
  }
  yield flush();
  const more = Object.entries(metadata()).map(([key, value]) => ({ key, value }));
  writer.kvMetadata = [{ key: 'geo', value: JSON.stringify(geo.toJson([GEOMETRY])) }, ...more];
  void writer.finish();
  yield output.drain();
}

/** Those of all texts, and the bytes of shapes. */
function countCharacters(value: unknown): number {
  if (typeof value === 'string' || value instanceof Uint8Array) return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  for (const one of Object.values(value)) count += countCharacters(one);
  return count;
}
