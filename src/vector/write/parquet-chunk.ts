/** Pages of a column in a row group. */
import type { ParquetType, Statistics } from 'hyparquet';
import { ByteWriter } from 'hyparquet-writer';
import { writePageHeader } from 'hyparquet-writer/src/datapage.js';
import { writeRleBitPackedHybrid } from 'hyparquet-writer/src/encoding.js';
import type { PageIndexes } from 'hyparquet-writer/src/types.js';
import { COMPRESSORS } from './parquet-types.ts';

/** Rows of a column that are compressed together. */
export interface ChunkPage {
  readonly rows: number;
  /** For each row 1, or 0 where there is no value. */
  readonly levels: Uint8Array;
  readonly nulls: number;
  /** The values that there are, as the encoding has them. */
  readonly bytes: Uint8Array;
}

/** The values of a column in a row group, as Parquet stores them. */
export interface ColumnChunk {
  /** The names from the column to the leaf. */
  readonly path: readonly string[];
  readonly type: ParquetType;
  /** Distinct values, one after the other, if pages have their positions. */
  readonly dictionary: { readonly count: number; readonly bytes: Uint8Array } | null;
  readonly pages: readonly ChunkPage[];
  readonly statistics: Statistics;
}

/** Writes a column of a row group; gives what the end of the file says of it. */
export function writeChunk(output: ByteWriter, chunk: ColumnChunk): PageIndexes {
  const { path, type, dictionary, pages, statistics } = chunk;
  const encoding = dictionary === null ? 'PLAIN' : 'RLE_DICTIONARY';
  const from = output.offset;
  let bytes = dictionary === null ? 0 : writeDictionary(output, dictionary);
  const pagesFrom = output.offset;
  const page_locations = [];
  let rows = 0;
  for (const page of pages) {
    const offset = output.offset;
    bytes += writePage(output, page, encoding);
    page_locations.push({
      offset: BigInt(offset),
      compressed_page_size: output.offset - offset,
      first_row_index: BigInt(rows),
    });
    rows += page.rows;
  }
  return {
    chunk: {
      file_offset: BigInt(from),
      meta_data: {
        type,
        encodings: dictionary === null ? [encoding] : ['PLAIN', encoding],
        path_in_schema: [...path],
        codec: 'ZSTD',
        num_values: BigInt(rows),
        total_compressed_size: BigInt(output.offset - from),
        total_uncompressed_size: BigInt(bytes),
        data_page_offset: BigInt(pagesFrom),
        ...(dictionary === null ? {} : { dictionary_page_offset: BigInt(from) }),
        statistics,
        encoding_stats: [
          ...(dictionary === null
            ? []
            : [{ page_type: 'DICTIONARY_PAGE', encoding: 'PLAIN', count: 1 } as const]),
          { page_type: 'DATA_PAGE_V2', encoding, count: pages.length },
        ],
      },
    },
    offsetIndex: { page_locations },
  };
}

/** Both give the size before compression, with the header. */
function writeDictionary(output: ByteWriter, { count, bytes }: NonNullable<ColumnChunk['dictionary']>) {
  const compressed = COMPRESSORS.ZSTD(bytes);
  const from = output.offset;
  writePageHeader(output, {
    type: 'DICTIONARY_PAGE',
    uncompressed_page_size: bytes.length,
    compressed_page_size: compressed.length,
    dictionary_page_header: { num_values: count, encoding: 'PLAIN' },
  });
  const header = output.offset - from;
  output.appendBytes(compressed);
  return header + bytes.length;
}

function writePage(
  output: ByteWriter,
  { rows, levels, nulls, bytes }: ChunkPage,
  encoding: 'PLAIN' | 'RLE_DICTIONARY',
): number {
  const level = new ByteWriter();
  writeRleBitPackedHybrid(level, levels, 1);
  const compressed = COMPRESSORS.ZSTD(bytes);
  const from = output.offset;
  writePageHeader(output, {
    type: 'DATA_PAGE_V2',
    uncompressed_page_size: level.offset + bytes.length,
    compressed_page_size: level.offset + compressed.length,
    data_page_header_v2: {
      num_values: rows,
      num_nulls: nulls,
      num_rows: rows,
      encoding,
      definition_levels_byte_length: level.offset,
      repetition_levels_byte_length: 0,
      is_compressed: true,
    },
  });
  const header = output.offset - from;
  output.appendBytes(level.getBytes());
  output.appendBytes(compressed);
  return header + level.offset + bytes.length;
}
