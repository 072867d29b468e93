import type { PixelArray } from '../../../raster/index.ts';
import { makePixels } from '../../../raster/index.ts';
import { writableCodecs } from '../codecs/codecs.ts';
import type { CogLevel, CogPlan } from './cog-options.ts';
import { encodeBlock, gatherBlock } from './encode-block.ts';
import type { LevelSpans, PartLevel } from './part-windows.ts';
import type { Span } from './row-reducer.ts';
import { makeRowReducer } from './row-reducer.ts';

/** A level and the smaller copies that are made of it, within some columns and rows. */
export interface LevelChainOptions {
  readonly plan: CogPlan;
  /** Bands that are given. */
  readonly firstBand: number;
  readonly bandCount: number;
  /** The level of the first element of `levels`. */
  readonly firstLevel: number;
  readonly levels: readonly PartLevel[];
  /** Whether blocks of the first level are stored: its pixels may have been stored before. */
  readonly storesFirst: boolean;
  /** Takes each encoded block. */
  onBlock(level: number, block: number, payload: Uint8Array): void;
  /** Takes the pixels of the last level, strip by strip. */
  onLast?(bands: readonly PixelArray[], strip: LevelSpans): void;
}

/** Takes the pixels of a level from top to bottom. */
export interface LevelChain {
  /** The next strip as `nextStrip` says it: an array of its columns × rows for each band. */
  add(bands: readonly PixelArray[]): void;
  /** The rows that are expected next; null after the last ones. All have the columns that the level is made of. */
  nextStrip(): Span | null;
}

/** Strips end where rows of blocks do: what begins in one row of blocks and ends in another is never needed at once. */
function stripAfter(row: number, { own, made }: PartLevel, blockSize: number): Span | null {
  if (row >= made.rows.end) return null;
  if (row < own.rows.start) return { start: row, end: own.rows.start };
  const blocks = Math.floor((row - own.rows.start) / blockSize) + 1;
  return { start: row, end: Math.min(own.rows.end, own.rows.start + blocks * blockSize) };
}

/** Encodes the blocks of each level as soon as their pixels are complete; holds one row of blocks of each. */
export function makeLevelChain(options: LevelChainOptions, position = 0): LevelChain {
  const { plan, levels, bandCount, storesFirst, onLast } = options;
  const { blockSize, type, nodata } = plan;
  const index = options.firstLevel + position;
  const level = levels[position] as PartLevel;
  const { own, made } = level;
  const { width, height } = plan.levels[index] as CogLevel;
  const madeWidth = made.columns.end - made.columns.start;
  const smaller = levels[position + 1];
  const next = smaller === undefined ? null : makeStripBuffer(options, position + 1);
  const reducers =
    smaller === undefined
      ? []
      : Array.from({ length: bandCount }, () =>
          makeRowReducer(plan.overviewMethod, {
            type,
            nodata,
            width,
            height,
            part: smaller.made,
          }),
        );
  const isStored = position > 0 || storesFirst;
  const store = isStored ? makeStoreBlocks(options, index, level) : null;
  let row = made.rows.start;

  return {
    nextStrip: () => stripAfter(row, level, blockSize),
    add(bands) {
      const strip = stripAfter(row, level, blockSize) as Span;
      if (strip.start >= own.rows.start) store?.(bands, strip);
      for (let y = 0; y < strip.end - strip.start && next !== null; y++) {
        // bands arrive together, so their reducers finish a row together
        const reduced = reducers.map((reducer, band) => reducer.push(bands[band]!, y * madeWidth));
        if (reduced[0] !== null) next.addRow(reduced as PixelArray[]);
      }
      if (smaller === undefined) onLast?.(bands, { columns: made.columns, rows: strip });
      row = strip.end;
    },
  };
}

/** Collects the rows of a smaller copy until they make a strip. */
function makeStripBuffer(options: LevelChainOptions, position: number) {
  const { plan, bandCount } = options;
  const { made } = options.levels[position] as PartLevel;
  const width = made.columns.end - made.columns.start;
  const rows = Math.min(plan.blockSize, made.rows.end - made.rows.start);
  const held = Array.from({ length: bandCount }, () => makePixels(plan.type, width * rows));
  const chain = makeLevelChain(options, position);
  let filled = 0;
  return {
    addRow(bands: readonly PixelArray[]): void {
      held.forEach((buffer, band) => {
        buffer.set(bands[band]!, filled * width);
      });
      filled++;
      const strip = chain.nextStrip() as Span;
      if (filled < strip.end - strip.start) return;
      chain.add(held);
      filled = 0;
    },
  };
}

/** Encodes the blocks of a strip that is a row of blocks. */
function makeStoreBlocks({ plan, firstBand, onBlock }: LevelChainOptions, index: number, level: PartLevel) {
  const { blockSize, type, samplesPerBlock, planes } = plan;
  const { blocksAcross, blocksDown } = plan.levels[index] as CogLevel;
  const { own, made } = level;
  const width = made.columns.end - made.columns.start;
  const codec = writableCodecs[plan.compression];
  const block = makePixels(type, blockSize * blockSize * samplesPerBlock);
  return (bands: readonly PixelArray[], { start, end }: Span): void => {
    const blockRow = Math.floor(start / blockSize);
    const groups = planes === 1 ? [bands] : bands.map((band) => [band]);
    for (const [group, gathered] of groups.entries()) {
      const plane = planes === 1 ? 0 : firstBand + group;
      for (let x = own.columns.start; x < own.columns.end; x += blockSize) {
        const left = x - made.columns.start;
        gatherBlock(block, { bands: gathered, width, rows: end - start, left, blockSize });
        const stored = encodeBlock(block, {
          predictor: plan.predictor,
          rowPixels: blockSize,
          samples: samplesPerBlock,
          compress: (bytes) => codec.encode(bytes, plan.level),
        });
        // uncompressed bytes are those of the block, which is used again
        const payload = stored.buffer === block.buffer ? stored.slice() : stored;
        onBlock(index, (plane * blocksDown + blockRow) * blocksAcross + x / blockSize, payload);
      }
    }
  };
}
