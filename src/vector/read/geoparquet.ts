import type { AsyncBuffer, RowGroup, SchemaElement } from 'hyparquet';
import { throwIfCancelled } from '../../async/index.ts';
import { tooLarge, unsupported } from '../errors.ts';
import type { GeometryRules } from '../geometry/clean-geometry.ts';
import { cleanGeometry, RowFault } from '../geometry/clean-geometry.ts';
import { parseWkb } from '../geometry/wkb.ts';
import type { FoundRow, VectorLimits } from '../shapes.ts';
import { toFault, toProperties } from '../shapes.ts';
import { findShapeColumn, listColumns } from './geo-columns.ts';
import { groupTooLarge, MAX_GROUP_BYTES, openParquet, tried } from './open-parquet.ts';
import { readColumnChunk } from './parquet-column.ts';
import type { Reading } from './reading.ts';

/** The footer lists all column chunks; that of a hundred row groups of thirty columns has half a megabyte. */
const MAX_FOOTER_BYTES = 4 * 2 ** 20;

/**
 * Reads GeoParquet, and Parquet with a column of well-known binary. Memory is bounded by one row group, whose size is
 * limited. Columns of lists and structures are left out.
 */
export async function* readGeoParquet({ path, limits, signal }: Reading): AsyncGenerator<FoundRow> {
  await using opened = await openParquet(path, MAX_FOOTER_BYTES);
  const { file, metadata } = opened;
  if (Number(metadata.num_rows) > limits.maxRows)
    throw tooLarge('too-many-rows', `The file has more than ${limits.maxRows} rows.`, {
      details: { maxRows: limits.maxRows },
    });
  const { shape, columns } = await tried(async () => {
    const found = findShapeColumn(metadata);
    return { shape: found, columns: listColumns(metadata, found.name, limits.maxColumns) };
  });
  const rules = { toLonLat: shape.toLonLat, maxVertices: limits.maxVertices };
  const table = { rules, limits, shapeBytes: 0 };
  for (const group of metadata.row_groups) {
    throwIfCancelled(signal);
    const read = await tried(() => readGroup(file, group, columns, limits));
    const rows = Number(group.num_rows);
    for (let row = 0; row < rows; row++) {
      const entries: [string, unknown][] = [];
      let bytes: unknown = null;
      for (const [i, { name }] of columns.entries()) {
        const value = read[i]?.[row] ?? null;
        if (name === shape.name) bytes = value;
        else entries.push([name, value]);
      }
      yield readRow(entries, bytes, table);
    }
  }
}

/** The values of a row group, column by column. */
async function readGroup(
  file: AsyncBuffer,
  group: RowGroup,
  elements: readonly SchemaElement[],
  limits: VectorLimits,
): Promise<readonly unknown[][]> {
  const rows = Number(group.num_rows);
  if (!(rows >= 0 && rows <= limits.maxRows)) throw new RangeError('a row group of too many rows');
  let left = Math.min(MAX_GROUP_BYTES, limits.maxUnpackedBytes);
  const columns: unknown[][] = [];
  for (const element of elements) {
    const column = group.columns.find(
      ({ meta_data }) =>
        meta_data?.path_in_schema.length === 1 && meta_data.path_in_schema[0] === element.name,
    )?.meta_data;
    if (column === undefined) throw new RangeError('a row group without a column');
    const start = Number(column.dictionary_page_offset || column.data_page_offset);
    const size = Number(column.total_compressed_size);
    if (size > left) throw groupTooLarge();
    const bytes = new Uint8Array(await file.slice(start, start + size));
    const { values, unpackedBytes } = readColumnChunk(bytes, {
      element,
      codec: column.codec,
      rows,
      maxBytes: left,
    });
    left -= unpackedBytes;
    if (left < 0) throw groupTooLarge();
    columns.push(values);
  }
  return columns;
}

interface Table {
  readonly rules: GeometryRules;
  readonly limits: VectorLimits;
  /** Bytes of all shapes so far: one in a dictionary can stand for a million. */
  shapeBytes: number;
}

function readRow(entries: readonly [string, unknown][], bytes: unknown, table: Table): FoundRow {
  const { rules, limits } = table;
  const row = { id: null, properties: toProperties(entries) };
  if (bytes === null) return { ...row, geometry: null, fault: null };
  if (!(bytes instanceof Uint8Array))
    throw unsupported('shape-encoding', 'The column of shapes does not hold bytes.');
  table.shapeBytes += bytes.length;
  if (table.shapeBytes > limits.maxUnpackedBytes)
    throw tooLarge('shape-file-too-large', 'The shapes of the file are too large in all.');
  if (bytes.length > limits.maxRowBytes)
    return toFault(`The row has more than ${limits.maxRowBytes} bytes.`, row);
  try {
    return { ...row, geometry: cleanGeometry(parseWkb(bytes).geometry, rules), fault: null };
  } catch (error) {
    if (error instanceof RowFault) return toFault(error.message, row);
    throw error;
  }
}
