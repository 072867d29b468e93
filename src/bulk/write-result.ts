import type { FileHandle } from 'node:fs/promises';
import { open, readFile } from 'node:fs/promises';
import type { LonLatBounds } from '../geo/index.ts';
import { geometryBounds } from '../geo/index.ts';
import type { JobContext, JobType } from '../pool/index.ts';
import type { Sensor } from '../sensors/index.ts';
import { sensorByDataset } from '../sensors/index.ts';
import type { Column, ColumnValues, TableWriter } from '../vector/index.ts';
import type { Measured } from '../zonal/index.ts';
import { describeScene } from '../zonal/measuring.ts';
import type { BulkOrder } from './bulk-order.ts';
import { JOIN_BLOCK, joinRows, readJoinBlock } from './join-block.ts';
import type { ResultTable, RowSource } from './result-columns.ts';
import { makeResultTable } from './result-columns.ts';
import { isByCentres, toMeasured } from './scene-numbers.ts';
import type { PartHeader } from './scene-part.ts';
import { PART_HEADER_BYTES, readPartHeader, recordBytes } from './scene-part.ts';
import type { ShapePack } from './shape-pack.ts';
import { unpackShape } from './shape-pack.ts';
import type { ShapeNames } from './shape-snapshot.ts';
import { readNames, readPack } from './shape-snapshot.ts';

/** A chunk of shapes, as files of this machine. */
export interface ChunkFiles {
  readonly shapes: string;
  /** One for each scene, newest first. */
  readonly parts: readonly string[];
  /** Blocks of joined values; none if nothing is joined. */
  readonly joins: readonly string[];
}

/** The input of the job that writes a result. */
export interface WriteJob {
  readonly path: string;
  readonly order: BulkOrder;
  readonly chunks: readonly ChunkFiles[];
}

/** The job; it reports the share that is written, and answers with the number of rows. */
export type WriteJobs = { 'write-numbers': JobType<WriteJob, number> };

/** Shapes whose numbers are read at once. */
const BLOCK = JOIN_BLOCK;

/** Writes the numbers of all shapes: shape by shape, the newest scenes first. Memory is bounded by a block of shapes. */
export async function writeResult({ path, order, chunks }: WriteJob, context: JobContext): Promise<number> {
  const table = makeResultTable(order);
  // Loaded when the first result is written: every pixel thread would hold all formats.
  const { writeTable } = await import('../vector/index.ts');
  const writer = await writeTable(path, order.format, table.columns);
  try {
    const rows = makeRowBuffer(writer, table.columns);
    for (const [i, chunk] of chunks.entries()) {
      await writeChunk(chunk, { order, table, rows }, (share) => {
        context.signal.throwIfAborted();
        context.report((i + share) / chunks.length);
      });
    }
    await rows.flush();
    await writer.finish();
    return rows.count;
  } catch (error) {
    await writer.discard();
    throw error;
  }
}

interface ChunkWork {
  readonly order: BulkOrder;
  readonly table: ResultTable;
  readonly rows: RowBuffer;
}

/** An open part. */
interface OpenPart {
  readonly header: PartHeader;
  readonly sensor: Sensor;
  readonly file: FileHandle;
}

async function writeChunk(
  { shapes, parts: paths, joins }: ChunkFiles,
  { order, table, rows }: ChunkWork,
  onShare: (share: number) => void,
): Promise<void> {
  const bytes = await readFile(shapes);
  const names = readNames(bytes);
  const pack = readPack(bytes);
  const hasShapes = table.columns.some(({ type }) => type === 'geometry');
  const parts: OpenPart[] = [];
  try {
    for (const path of paths) parts.push(await openPart(path));
    for (let from = 0; from < names.length; from += BLOCK) {
      const block = names.slice(from, from + BLOCK);
      const numbers = await Promise.all(parts.map((part) => readBlock(part, from, block.length)));
      const joinsPath = joins[from / BLOCK];
      const joined = joinsPath === undefined ? null : readJoinBlock(await readFile(joinsPath));
      for (const [i, own] of block.entries()) {
        const geometry = hasShapes ? unpackShape(pack, from + i) : null;
        const sources: Omit<RowSource, 'names' | 'geometry' | 'joined'>[] = [];
        for (const [n, part] of parts.entries()) {
          const source = describeShape(
            { part, values: numbers[n] as Float64Array<ArrayBuffer>, at: i },
            { order, pack, shape: from + i },
          );
          if (source === null) continue;
          sources.push(source);
          if (sources.length === order.limit) break;
        }
        const times = sources.map(({ scene }) => Date.parse(scene.acquiredAt));
        const cells = joined === null ? [] : joinRows(joined, order.joined ?? [], { shape: i, times });
        for (const [n, source] of sources.entries()) {
          const all = { names: own as ShapeNames, geometry, ...source, joined: cells[n] ?? [] };
          for (const row of table.toRows(all)) await rows.push(row);
        }
      }
      onShare(Math.min(1, (from + BLOCK) / names.length));
    }
  } finally {
    for (const { file } of parts) await file.close();
  }
}

async function openPart(path: string): Promise<OpenPart> {
  const file = await open(path);
  try {
    const bytes = new Uint8Array(PART_HEADER_BYTES);
    await file.read(bytes, 0, bytes.length, 0);
    const header = readPartHeader(bytes);
    return { file, header, sensor: sensorByDataset(header.scene.dataset) as Sensor };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** The numbers of consecutive shapes in a scene; none if it was not measured. */
async function readBlock(
  { header, file }: OpenPart,
  from: number,
  count: number,
): Promise<Float64Array<ArrayBuffer>> {
  if (header.end.kind !== 'measured') return new Float64Array(0);
  const bytes = new Uint8Array(count * recordBytes(header));
  await file.read(bytes, 0, bytes.length, PART_HEADER_BYTES + from * recordBytes(header));
  return new Float64Array(bytes.buffer);
}

interface ReadNumbers {
  readonly part: OpenPart;
  readonly values: Float64Array<ArrayBuffer>;
  /** The shape within the block. */
  readonly at: number;
}

interface DescribedShape {
  readonly order: BulkOrder;
  readonly pack: ShapePack;
  readonly shape: number;
}

/** What the result says of a shape in a scene; null if it says nothing, as of single areas. */
function describeShape({ part, values, at }: ReadNumbers, { order, pack, shape }: DescribedShape) {
  const { header, sensor } = part;
  const { scene, end, expressions } = header;
  if (end.kind === 'empty') return null;
  if (end.kind === 'broken') {
    if (!overlap(end.bounds, geometryBounds(unpackShape(pack, shape)))) return null;
    const notes = [`the scene could not be read: ${end.message}`];
    return { scene, statistics: { cloudPercent: null, notes, values: [] }, measured: [] };
  }
  const numbers = { shapes: values.length, expressions, values };
  const measured = Array.from({ length: expressions }, (_, i) => toMeasured(numbers, at, i));
  if (measured.some((one) => one === null)) return null;
  const { lacksClasses, lacksSun } = scene;
  const one = { scene, sensor, measured: measured as readonly Measured[], lacksClasses, lacksSun };
  const statistics = describeScene(one, { histogram: null, clouds: order.clouds });
  if ('message' in statistics) return null;
  const notes = isByCentres(numbers, at) ? [...statistics.notes, BY_CENTRES] : statistics.notes;
  return { scene, statistics: { ...statistics, notes }, measured };
}

const BY_CENTRES = 'the field is too large for shares of pixels: pixel centres count';

const overlap = (one: LonLatBounds, other: LonLatBounds): boolean =>
  one.west <= other.east && other.west <= one.east && one.south <= other.north && other.south <= one.north;

/** Rows that are written together. */
const BATCH_ROWS = 4_096;

/** Collects rows into columns. */
interface RowBuffer {
  readonly count: number;
  push(row: readonly (string | number | object | null)[]): Promise<void> | undefined;
  flush(): Promise<void>;
}

function makeRowBuffer(writer: TableWriter, columns: readonly Column[]): RowBuffer {
  let [count, rows] = [0, 0];
  let batch: (string | number | object | null)[][] = columns.map(() => []);
  const flush = async (): Promise<void> => {
    if (rows === 0) return;
    const full = { rows, columns: batch as readonly ColumnValues[] };
    batch = columns.map(() => []);
    rows = 0;
    await writer.write(full);
  };
  return {
    get count() {
      return count;
    },
    flush,
    push(row) {
      for (let i = 0; i < row.length; i += 1) (batch[i] as unknown[]).push(row[i]);
      count += 1;
      rows += 1;
      return rows < BATCH_ROWS ? undefined : flush();
    },
  };
}
