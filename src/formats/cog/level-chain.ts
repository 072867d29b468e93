import type { PixelArray } from '../../raster/index.ts';
import { makePixels } from '../../raster/index.ts';
import { hostIsLittleEndian } from '../tiff/samples/byte-order.ts';
import type { CogLevel, CogPlan } from './cog-options.ts';
import { cutOut } from './cut-out.ts';
import { makeEncodeBlock } from './encode-block.ts';
import { makeHalveStrip } from './halve-strip.ts';
import type { LevelSpans, PartLevel } from './part-windows.ts';
import type { Span } from './row-reducer.ts';
import { isInFours, makeRowReducer } from './row-reducer.ts';
import { makeShareStrip } from './share-strip.ts';

/** A level and the smaller copies that are made of it, within some columns and rows. */
interface LevelChainOptions {
  readonly plan: CogPlan;
  /** Bands that are given. */
  readonly firstBand: number;
  readonly bandCount: number;
  /** The level of the first element of `levels`. */
  readonly firstLevel: number;
  readonly levels: readonly PartLevel[];
  /** Whether blocks of the first level are stored: its pixels may have been stored before. */
  readonly storesFirst: boolean;
  /** Takes each encoded block; the bytes are valid until it returns. */
  onBlock(level: number, block: number, payload: Uint8Array): void;
  /** Takes the pixels of the last level, strip by strip. */
  onLast?(bands: readonly PixelArray[], strip: LevelSpans): void;
}

/** Takes the pixels of a level from top to bottom. */
interface LevelChain {
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
  const { plan, levels, storesFirst, onLast } = options;
  const index = options.firstLevel + position;
  const level = levels[position] as PartLevel;
  const { own, made } = level;
  const reduce = position + 1 < levels.length ? makeReduceStrip(options, position) : null;
  const isStored = position > 0 || storesFirst;
  const store = isStored ? makeStoreBlocks(options, index, level) : null;
  let row = made.rows.start;

  return {
    nextStrip: () => stripAfter(row, level, plan.blockSize),
    add(bands) {
      const strip = stripAfter(row, level, plan.blockSize) as Span;
      if (strip.start >= own.rows.start) store?.(bands, strip);
      reduce?.(bands, strip.end - strip.start);
      if (reduce === null) onLast?.(bands, { columns: made.columns, rows: strip });
      row = strip.end;
    },
  };
}

/** Makes the smaller copy of a strip and feeds it to the next level. */
function makeReduceStrip(options: LevelChainOptions, position: number) {
  const { plan, levels, bandCount } = options;
  const { type, nodata, overviewMethod } = plan;
  const { width, height } = plan.levels[options.firstLevel + position] as CogLevel;
  const { columns } = (levels[position] as PartLevel).made;
  const part = (levels[position + 1] as PartLevel).made;
  const madeWidth = columns.end - columns.start;
  const next = makeStripBuffer(options, position + 1);
  if (isInFours(overviewMethod, { width, height })) {
    const halve = makeHalveStrip({ type, nodata });
    return (bands: readonly PixelArray[], rows: number): void =>
      next.addRows(rows / 2, (band, into, start) =>
        halve({ pixels: bands[band] as PixelArray, width: madeWidth, rows }, into, start),
      );
  }
  if (overviewMethod === 'average' && type !== 'float32' && hostIsLittleEndian) {
    const cols = part.columns.end - part.columns.start;
    const shares = Array.from({ length: bandCount }, () =>
      makeShareStrip({ type, nodata, width, height, part }),
    );
    return (bands: readonly PixelArray[], rows: number): void => {
      const made = shares.map((share, band) => share(bands[band] as PixelArray, rows));
      // the rows of all bands are complete together; they may belong to two strips
      for (let start = 0; start < made[0]!.length; start += cols) {
        next.addRows(1, (band, into, at) => into.set(made[band]!.subarray(start, start + cols), at));
      }
    };
  }
  const reducers = Array.from({ length: bandCount }, () =>
    makeRowReducer(overviewMethod, { type, nodata, width, height, part }),
  );
  return (bands: readonly PixelArray[], rows: number): void => {
    for (let y = 0; y < rows; y++) {
      // bands arrive together, so their reducers finish a row together
      const reduced = reducers.map((reducer, band) => reducer.push(bands[band]!, y * madeWidth));
      if (reduced[0] !== null)
        next.addRows(1, (band, into, start) => into.set(reduced[band] as PixelArray, start));
    }
  };
}

/** Collects the rows of a smaller copy until they make a strip. */
function makeStripBuffer(options: LevelChainOptions, position: number) {
  const { plan, bandCount } = options;
  const { made } = options.levels[position] as PartLevel;
  const width = made.columns.end - made.columns.start;
  const rowCount = Math.min(plan.blockSize, made.rows.end - made.rows.start);
  const held = Array.from({ length: bandCount }, () => makePixels(plan.type, width * rowCount));
  const chain = makeLevelChain(options, position);
  let filled = 0;
  return {
    /** Has rows written from a position on; they never go beyond the end of a strip, which is one here and above. */
    addRows(rows: number, write: (band: number, into: PixelArray, start: number) => void): void {
      for (const [band, buffer] of held.entries()) write(band, buffer, filled * width);
      filled += rows;
      const strip = chain.nextStrip() as Span;
      if (filled < strip.end - strip.start) return;
      if (plan.alpha === 'cut-out') cutOut(held, 0, filled * width);
      chain.add(held);
      filled = 0;
    },
  };
}

/** Encodes the blocks of a strip that is a row of blocks. */
function makeStoreBlocks({ plan, firstBand, onBlock }: LevelChainOptions, index: number, level: PartLevel) {
  const { blockSize, planes } = plan;
  const { blocksAcross, blocksDown } = plan.levels[index] as CogLevel;
  const { own, made } = level;
  const width = made.columns.end - made.columns.start;
  const encode = makeEncodeBlock(plan);
  return (bands: readonly PixelArray[], { start, end }: Span): void => {
    const blockRow = Math.floor(start / blockSize);
    const groups = planes === 1 ? [bands] : bands.map((band) => [band]);
    for (const [group, gathered] of groups.entries()) {
      const plane = planes === 1 ? 0 : firstBand + group;
      for (let x = own.columns.start; x < own.columns.end; x += blockSize) {
        const number = (plane * blocksDown + blockRow) * blocksAcross + x / blockSize;
        const left = x - made.columns.start;
        encode({ bands: gathered, width, rows: end - start, left }, (payload) =>
          onBlock(index, number, payload),
        );
      }
    }
  };
}
