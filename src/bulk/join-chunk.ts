import { open } from 'node:fs/promises';
import type { BulkOrder } from './bulk-order.ts';
import type { JoinBlock } from './join-block.ts';
import { JOIN_BLOCK, writeJoinBlock } from './join-block.ts';
import type { DailySource, JoinedColumn, ReadDaily, ShapeDays } from './joined-days.ts';
import { reduceDays, toDayNumber, toDayText, toFirstDay, toLocalDay } from './joined-days.ts';
import { PART_HEADER_BYTES, readPartHeader } from './scene-part.ts';
import type { ShapePack } from './shape-pack.ts';
import { boundsOf, unpackShape } from './shape-pack.ts';
import type { ShapeNames } from './shape-snapshot.ts';

/** The shapes of a chunk and the scenes in which they were measured. */
export interface JoinedChunk {
  readonly order: BulkOrder;
  readonly columns: readonly JoinedColumn[];
  readonly pack: ShapePack;
  readonly names: readonly ShapeNames[];
  /** Files of this machine. */
  readonly parts: readonly string[];
}

/** The number of blocks that a chunk has. */
export const countBlocks = (shapes: number): number => Math.ceil(shapes / JOIN_BLOCK);

/** Values that are read at once, 8 MB: ten years of many variables are few shapes at a time. */
const MAX_VALUES = 2 ** 20;

/** Builds the reading of a chunk's days, block by block. Neighbours come one after the other and share cells of grids. */
export async function makeJoinChunk(
  { order, columns, pack, names, parts }: JoinedChunk,
  readDaily: ReadDaily,
): Promise<(block: number, signal: AbortSignal) => Promise<Uint8Array>> {
  const sources = listSources(columns);
  const days = await listDays(parts, pack);
  const startDay = toDayNumber(order.from);
  const to = toDayText(toDayNumber(order.to) + 1);
  return async (block, signal) => {
    const first = block * JOIN_BLOCK;
    const count = Math.min(JOIN_BLOCK, pack.count - first);
    const size = days.length * columns.length;
    const values = new Float64Array(count * size);
    const utcOffsetHours: number[] = [];
    const firstDays = Array.from({ length: count }, (_, i) =>
      toFirstDay(columns, order, names[first + i]?.sownOn ?? null),
    );
    for (let from = 0; days.length > 0 && from < count; ) {
      const longest = 1 + toDayNumber(to) - Math.min(...firstDays.slice(from));
      const batch = Math.max(1, Math.min(count - from, Math.floor(MAX_VALUES / longest / sources.length)));
      const shapes = firstDays.slice(from, from + batch).map((day, i) => ({
        geometry: unpackShape(pack, first + from + i),
        from: toDayText(day),
      }));
      const read = await readDaily({ shapes, to, sources }, signal);
      for (const [i, own] of read.entries()) {
        const shape = from + i;
        utcOffsetHours.push(own.utcOffsetHours);
        const reduced = reduceDays(own as ShapeDays, {
          columns,
          sources,
          days,
          startDay,
          firstDay: firstDays[shape] as number,
          sownOn: names[first + shape]?.sownOn ?? null,
        });
        values.set(reduced, shape * size);
      }
      from += batch;
    }
    const written: JoinBlock = { days, startDay, utcOffsetHours, values };
    return writeJoinBlock(written);
  };
}

/** The sources of columns, each once. */
const listSources = (columns: readonly JoinedColumn[]): readonly DailySource[] => [
  ...new Map(columns.map(({ source }) => [JSON.stringify(source), source])).values(),
];

/** The days on which scenes show shapes, by the clocks of UTC and of the places of the shapes. */
async function listDays(parts: readonly string[], pack: ShapePack): Promise<readonly number[]> {
  const { west, east } = boundsOf(pack);
  const [first, last] = [Math.floor(west / 15 - 0.5), Math.ceil(east / 15 + 0.5)];
  // Fields on both sides of the world have all clocks.
  const offsets = new Set([0]);
  for (let hours = first; hours <= last; hours += 1) offsets.add(hours > 12 ? hours - 24 : hours);
  const days = new Set<number>();
  for (const path of parts) {
    const { scene, end } = await readHeader(path);
    if (end.kind === 'empty') continue;
    const timeMs = Date.parse(scene.acquiredAt);
    for (const hours of offsets) days.add(toLocalDay(timeMs, hours));
  }
  return [...days].toSorted((one, other) => one - other);
}

async function readHeader(path: string) {
  const file = await open(path);
  try {
    const bytes = new Uint8Array(PART_HEADER_BYTES);
    await file.read(bytes, 0, bytes.length, 0);
    return readPartHeader(bytes);
  } finally {
    await file.close();
  }
}
