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
import type { JoinBlock } from './join-block.ts';
import { JOIN_BLOCK, joinRows, readJoinBlock } from './join-block.ts';
import type { Cell, ResultTable, RowSource } from './result-columns.ts';
import { makeResultTable } from './result-columns.ts';
import { isByCentres, toMeasured } from './scene-numbers.ts';
import type { PartHeader } from './scene-part.ts';
import { PART_HEADER_BYTES, readPartHeader, recordBytes } from './scene-part.ts';
import type { ShapePack } from './shape-pack.ts';
import { unpackShape } from './shape-pack.ts';
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
        const sources: DescribedScene[] = [];
        for (const [n, part] of parts.entries()) {
          const source = describeShape(
            { part, values: numbers[n] as Float64Array<ArrayBuffer>, at: i },
            { order, pack, shape: from + i },
          );
          if (source === null) continue;
          sources.push(source);
          if (sources.length === order.limit) break;
        }
        const cells = joined === null ? [] : joinSources(joined, sources, { order, shape: i });
        for (const [n, { scene, statistics, measured }] of sources.entries()) {
          const all = { names: own, geometry, scene, statistics, measured, joined: cells[n] ?? NOTHING };
          for (let row = 0; row < table.rowsOfSource; row += 1) {
            table.putRow(all, row, rows.put);
            if (rows.endRow()) await rows.flush();
          }
        }
      }
      onShare(Math.min(1, (from + BLOCK) / names.length));
    }
  } finally {
    for (const { file } of parts) await file.close();
  }
}

/** The joined cells of a shape's rows. */
function joinSources(
  joined: JoinBlock,
  sources: readonly DescribedScene[],
  { order, shape }: { readonly order: BulkOrder; readonly shape: number },
): ReturnType<typeof joinRows> {
  const times = sources.map(({ scene }) => Date.parse(scene.acquiredAt));
  return joinRows(joined, order.joined ?? [], { shape, times });
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

/** A shape in a scene, without what is the same in all scenes. */
type DescribedScene = Pick<RowSource, 'scene' | 'statistics' | 'measured'>;

/** The cells of a row to which nothing is joined. */
const NOTHING: readonly never[] = [];

/** What the result says of a shape in a scene; null if it says nothing, as of single areas. */
function describeShape(
  { part, values, at }: ReadNumbers,
  { order, pack, shape }: DescribedShape,
): DescribedScene | null {
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
  /** Puts the next cell of a row. */
  put(cell: Cell): void;
  /** Ends a row; true if they are enough to be written. */
  endRow(): boolean;
  flush(): Promise<void>;
}

function makeRowBuffer(writer: TableWriter, columns: readonly Column[]): RowBuffer {
  // Numbers in typed arrays, in which NaN is null: as objects they would keep the garbage collector busy.
  const makeBatch = (): (Cell[] | Float64Array)[] =>
    columns.map(({ type }) => (type === 'number' ? new Float64Array(BATCH_ROWS) : []));
  let [count, rows, column] = [0, 0, 0];
  let batch = makeBatch();
  return {
    get count() {
      return count;
    },
    put(cell) {
      const cells = batch[column] as Cell[] | Float64Array;
      if (cells instanceof Float64Array) cells[rows] = cell === null ? Number.NaN : (cell as number);
      else cells[rows] = cell;
      column += 1;
    },
    endRow() {
      column = 0;
      count += 1;
      rows += 1;
      return rows === BATCH_ROWS;
    },
    async flush() {
      if (rows === 0) return;
      const full = { rows, columns: batch as readonly ColumnValues[] };
      batch = makeBatch();
      rows = 0;
      await writer.write(full);
    },
  };
}
