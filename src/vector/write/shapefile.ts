import { dirname } from 'node:path';
import type { OutputFile } from '../../files/index.ts';
import { nodeFiles } from '../../files/index.ts';
import type { ZipEntry } from '../../formats/zip.ts';
import { writeZip } from '../../formats/zip.ts';
import { badInput, tooLarge } from '../errors.ts';
import type { Box } from '../geometry/bounds.ts';
import { growBox } from '../geometry/bounds.ts';
import type { ShapeGeometry } from '../shapes.ts';
import type { Column, TableBatch, TableWriter } from '../tables.ts';
import { cellOf } from '../tables.ts';
import type { DbfColumn } from './dbf.ts';
import { rowBytes, toDbfColumns, toDbfHeader, toDbfRows } from './dbf.ts';
import { SHP_TYPE, toShpHeader, toShpRecord } from './shp-record.ts';

/** Offsets are counted in words of two bytes, in 31 bits; other programs stop at half of that. */
const MAX_BYTES = 2 ** 31 - 1;

/** WGS 84 as ESRI writes it, which every reader of Shapefiles knows. */
const PRJ =
  'GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]';

/** Rows of the table that are copied at once. */
const COPY_ROWS = 4_096;

/** A file that grows at its end. */
interface Growing {
  readonly path: string;
  readonly file: OutputFile;
  size: number;
}

/**
 * Writes a Shapefile as a zip archive of .shp, .shx, .dbf, .prj and .cpg, in UTF-8. All shapes are of one kind, that of
 * the first; names of columns have ten letters, and text is cut after 254 bytes, as the format requires.
 */
export async function writeShapefile(
  path: string,
  columns: readonly Column[],
  layer: string,
): Promise<TableWriter> {
  const shape = columns.findIndex(({ type }) => type === 'geometry');
  const fields = toDbfColumns(columns);
  const widths = fields.map(() => 1);
  const opened: Growing[] = [];
  const openTemporary = async (size: number): Promise<Growing> => {
    const growing = { ...(await nodeFiles.createTemporary(dirname(path))), size };
    opened.push(growing);
    return growing;
  };
  const shp = await openTemporary(100);
  const shx = await openTemporary(100);
  // Text columns are as wide as possible here, and as wide as needed in the copy.
  const wide = await openTemporary(0);
  let [type, rows]: [number, number] = [SHP_TYPE.none, 0];
  let box: Box | null = null;
  let isOver = false;

  async function discard(): Promise<void> {
    if (isOver) return;
    isOver = true;
    for (const { file, path: temporary } of opened) {
      await file.close().catch(() => {});
      await nodeFiles.remove(temporary);
    }
  }

  function addShapes(batch: TableBatch): [shp: Buffer, shx: Buffer] {
    const [records, index]: [Buffer[], Buffer] = [[], Buffer.alloc(8 * batch.rows)];
    let size = shp.size;
    for (let row = 0; row < batch.rows; row++) {
      const record = toShpRecord(cellOf(batch.columns[shape]!, row) as ShapeGeometry | null);
      if (record.type !== SHP_TYPE.none) {
        if (type !== SHP_TYPE.none && type !== record.type)
          throw badInput('bad-column', 'A Shapefile holds shapes of one kind: points, lines or polygons.');
        type = record.type;
      }
      if (record.box !== null) {
        if (box === null) box = { ...record.box };
        else growBox(box, record.box);
      }
      const head = Buffer.alloc(8);
      head.writeInt32BE(rows + row + 1, 0);
      head.writeInt32BE(record.bytes.length / 2, 4);
      index.writeInt32BE(size / 2, 8 * row);
      index.writeInt32BE(record.bytes.length / 2, 8 * row + 4);
      records.push(head, record.bytes);
      size += 8 + record.bytes.length;
      if (size > MAX_BYTES)
        throw tooLarge('shape-file-too-large', 'A Shapefile holds at most 2 GiB of shapes.');
    }
    return [Buffer.concat(records), index];
  }

  return {
    async write(batch) {
      const [records, index] = addShapes(batch);
      await append(shp, records);
      await append(shx, index);
      await append(
        wide,
        toDbfRows(fields, batch, (i, bytes) => {
          if (bytes > widths[i]!) widths[i] = bytes;
        }),
      );
      rows += batch.rows;
    },
    async finish() {
      try {
        // A file without shapes needs a kind all the same.
        const kind = type === SHP_TYPE.none ? SHP_TYPE.polygon : type;
        await shp.file.write(toShpHeader(kind, box, shp.size), 0);
        await shx.file.write(toShpHeader(kind, box, shx.size), 0);
        const dbf = await openTemporary(0);
        const narrow = fields.map((field, i) =>
          field.code === 'C' ? { ...field, width: widths[i]! } : field,
        );
        await copyTable(wide, dbf, fields, narrow, rows);
        const entries: ZipEntry[] = [
          { name: `${layer}.shp`, source: { path: shp.path, deflate: true } },
          { name: `${layer}.shx`, source: { path: shx.path, deflate: true } },
          { name: `${layer}.dbf`, source: { path: dbf.path, deflate: true } },
          { name: `${layer}.prj`, source: { bytes: Buffer.from(PRJ) } },
          { name: `${layer}.cpg`, source: { bytes: Buffer.from('UTF-8') } },
        ];
        await writeZip(path, entries);
      } finally {
        await discard();
      }
    },
    discard,
  };
}

async function append(growing: Growing, bytes: Uint8Array): Promise<void> {
  await growing.file.write(bytes, growing.size);
  growing.size += bytes.length;
}

/** Copies the rows of a table into narrower columns. */
async function copyTable(
  from: Growing,
  to: Growing,
  fields: readonly DbfColumn[],
  narrow: readonly DbfColumn[],
  rows: number,
): Promise<void> {
  await append(to, toDbfHeader(narrow, rows));
  const [wideBytes, narrowBytes] = [rowBytes(fields), rowBytes(narrow)];
  for (let first = 0; first < rows; first += COPY_ROWS) {
    const count = Math.min(COPY_ROWS, rows - first);
    const source = Buffer.alloc(count * wideBytes);
    await from.file.read(source, first * wideBytes);
    const target = Buffer.alloc(count * narrowBytes, 0x20);
    for (let row = 0; row < count; row++) {
      let [read, written] = [row * wideBytes + 1, row * narrowBytes + 1];
      fields.forEach(({ width }, i) => {
        source.copy(target, written, read, read + narrow[i]!.width);
        read += width;
        written += narrow[i]!.width;
      });
    }
    await append(to, target);
  }
  await append(to, Buffer.of(0x1a));
}
