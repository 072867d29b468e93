import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { AsyncBuffer, RowGroup } from 'hyparquet';
import { deserializeTCompactProtocol } from 'hyparquet/src/thrift.js';
import { tooLarge, unsupported } from '../errors.ts';
import type { VectorLimits } from '../shapes.ts';

/** A row group after unpacking; that of a million polygons of forty corners has 650 MB, and writers make smaller ones. */
const MAX_GROUP_BYTES = 512 * 2 ** 20;

/** The codecs of Node; the library brings SNAPPY. A page cannot become longer than its header says. */
export const DECOMPRESSORS = {
  GZIP: (bytes: Uint8Array, size: number): Uint8Array => gunzipSync(bytes, { maxOutputLength: size }),
  BROTLI: (bytes: Uint8Array, size: number): Uint8Array =>
    brotliDecompressSync(bytes, { maxOutputLength: size }),
  ZSTD: (bytes: Uint8Array, size: number): Uint8Array => zstdDecompressSync(bytes, { maxOutputLength: size }),
};

/** Encodings by their number in the format: all but DELTA_BYTE_ARRAY (7), whose values grow by copies of each other. */
const ENCODINGS: ReadonlySet<unknown> = new Set([0, 2, 3, 4, 5, 6, 8, 9]);
const PAGE = { data: 0, index: 1, dictionary: 2, dataV2: 3 } as const;

/**
 * Checks what the pages of a row group claim, before the library takes memory for it: a run of two thousand million equal
 * values needs six bytes.
 */
export async function checkGroup(
  file: AsyncBuffer,
  group: RowGroup,
  columns: ReadonlySet<string>,
  limits: VectorLimits,
): Promise<void> {
  const rows = Number(group.num_rows);
  if (!(rows >= 0 && rows <= limits.maxRows)) throw new RangeError('a row group of too many rows');
  let unpacked = 0;
  for (const { meta_data: column } of group.columns) {
    if (column === undefined || !columns.has(column.path_in_schema[0] ?? '')) continue;
    const start = Number(column.dictionary_page_offset || column.data_page_offset);
    const size = Number(column.total_compressed_size);
    if (size > MAX_GROUP_BYTES) throw groupTooLarge();
    const bytes = await file.slice(start, start + size);
    unpacked += checkPages(new DataView(bytes), rows);
    if (unpacked > Math.min(MAX_GROUP_BYTES, limits.maxUnpackedBytes)) throw groupTooLarge();
  }
}

const groupTooLarge = () =>
  tooLarge(
    'shape-file-too-large',
    'A row group of the Parquet file is too large. Write it with smaller row groups.',
  );

/** Walks over the headers of the pages of a column; the bytes after unpacking. */
function checkPages(view: DataView, rows: number): number {
  const reader = { view, offset: 0 };
  let [unpacked, values] = [0, 0];
  while (values < rows && reader.offset < view.byteLength - 1) {
    const header = deserializeTCompactProtocol(reader);
    const [stored, size] = [Number(header.field_3), Number(header.field_2)];
    if (!(stored >= 0 && size >= 0 && reader.offset + stored <= view.byteLength))
      throw new RangeError('a page outside of its column');
    reader.offset += stored;
    unpacked += size;
    if (header.field_1 === PAGE.data) values += checkValues(header.field_5, rows);
    else if (header.field_1 === PAGE.dataV2)
      values += checkValues({ ...header.field_8, field_2: header.field_8?.field_4 }, rows);
    // Each value of a dictionary has its own bytes.
    else if (header.field_1 === PAGE.dictionary && !(Number(header.field_7?.field_1) <= 8 * size + 8))
      throw new RangeError('a dictionary of too many values');
  }
  if (values !== rows) throw new RangeError('a column of another length');
  return unpacked;
}

function checkValues(header: { field_1?: unknown; field_2?: unknown } | undefined, rows: number): number {
  const values = Number(header?.field_1);
  if (!(values >= 0 && values <= rows)) throw new RangeError('a page of too many values');
  if (!ENCODINGS.has(header?.field_2))
    throw unsupported('shape-encoding', 'A column of the Parquet file has an encoding that is not read.');
  return values;
}
