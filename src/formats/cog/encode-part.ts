import type { PixelArray, PixelWindow } from '../../raster/index.ts';
import { bytesPerSample, makePixels } from '../../raster/index.ts';
import { internal } from '../errors.ts';
import { hostIsLittleEndian } from '../tiff/samples/sample-format.ts';
import type { EncodedBlocks } from './encode-block.ts';
import { cutOut, makeBlockList, makeEncodeBlock } from './encode-block.ts';
import type { CogPart, LevelSpans, PartedCog, PartLevel } from './parted-cog.ts';
import type { CogLevel, CogPlan } from './plan-cog.ts';
import { makeHalveStrip, makeShareStrip } from './reduce-strip.ts';
import type { Span } from './row-reducer.ts';
import { isInFours, makeBandsReducer, pickStrip } from './row-reducer.ts';

/** What a part is made of. */
interface PartSource {
  /** The pixels of a window of the image: for each band of the part an array of `width` × `height`, row by row. */
  readWindow(window: PixelWindow): Promise<readonly PixelArray[]> | readonly PixelArray[];
  /**
   * Stored bytes of blocks of the full resolution, by their numbers, where they are copied and not encoded; the
   * smaller copies are made of the pixels.
   */
  readStored?(numbers: readonly number[]): Promise<readonly Uint8Array[]>;
  /** Called before each strip; throws when no one waits for the part any more. */
  checkWanted(): void;
}

/**
 * Reads, reduces and encodes one part, strip by strip. The smallest copy goes into `top` as well, and the blocks go into
 * `room` as far as they fit.
 */
export async function encodeCogPart(
  cog: Pick<PartedCog, 'plan'>,
  part: CogPart,
  source: PartSource,
  top: readonly PixelArray[] | null,
  room: SharedArrayBuffer | null = null,
): Promise<EncodedBlocks> {
  const { plan } = cog;
  const { firstBand, bandCount, levels } = part;
  const blocks = makeBlockList(room);
  const topWidth = (plan.levels[levels.length - 1] as CogLevel).width;
  const chain = makeLevelChain({
    plan,
    firstBand,
    bandCount,
    firstLevel: 0,
    levels,
    storesFirst: source.readStored === undefined,
    onBlock: blocks.add,
    onLast(bands, strip) {
      if (top === null) return;
      for (const [band, pixels] of bands.entries()) {
        copyStrip(pixels, strip, top[firstBand + band] as PixelArray, topWidth);
      }
    },
  });
  const { columns } = (levels[0] as PartLevel).made;
  const width = columns.end - columns.start;
  for (let strip = chain.nextStrip(); strip !== null; strip = chain.nextStrip()) {
    source.checkWanted();
    const height = strip.end - strip.start;
    const bands = await source.readWindow({ x: columns.start, y: strip.start, width, height });
    if (bands.length !== bandCount || bands.some(({ length }) => length !== width * height)) {
      throw internal('bad-part-pixels', 'A part of an image was given too many or too few pixels.');
    }
    chain.add(bands);
    const numbers = source.readStored === undefined ? [] : listBlocks(cog, part, strip);
    const stored = (await source.readStored?.(numbers)) ?? [];
    for (const [i, payload] of stored.entries()) blocks.add(0, numbers[i] as number, payload);
  }
  return blocks.finish();
}

function copyStrip(from: PixelArray, { columns, rows }: LevelSpans, to: PixelArray, toWidth: number): void {
  const width = columns.end - columns.start;
  for (let y = rows.start; y < rows.end; y++) {
    const start = (y - rows.start) * width;
    to.set(from.subarray(start, start + width), y * toWidth + columns.start);
  }
}

/** The blocks of the full resolution that a strip of a part holds; none for the rows before its own. */
export function listBlocks(
  { plan }: Pick<PartedCog, 'plan'>,
  { firstBand, bandCount, levels }: CogPart,
  { start }: Span,
): readonly number[] {
  const { columns, rows } = (levels[0] as PartLevel).own;
  if (start < rows.start) return [];
  const { blockSize, planes } = plan;
  const { blocksAcross, blocksDown } = plan.levels[0] as CogLevel;
  const across = Math.ceil((columns.end - columns.start) / blockSize);
  return Array.from({ length: planes === 1 ? 1 : bandCount }, (_, band) =>
    Array.from({ length: across }, (_, column) => {
      const row = (planes === 1 ? 0 : firstBand + band) * blocksDown + start / blockSize;
      return row * blocksAcross + columns.start / blockSize + column;
    }),
  ).flat();
}

/** Makes the levels above those of the parts, once all parts are done. */
export function encodeCogTop(
  { plan, topLevel }: Pick<PartedCog, 'plan' | 'topLevel'>,
  top: readonly PixelArray[],
  checkWanted: () => void,
): EncodedBlocks {
  const blocks = makeBlockList(null);
  const levels = plan.levels.slice(topLevel).map(({ width, height }): PartLevel => {
    const all = { columns: { start: 0, end: width }, rows: { start: 0, end: height } };
    return { own: all, made: all };
  });
  const { width } = plan.levels[topLevel] as CogLevel;
  const chain = makeLevelChain({
    plan,
    firstBand: 0,
    bandCount: plan.bandCount,
    firstLevel: topLevel,
    levels,
    storesFirst: false,
    onBlock: blocks.add,
  });
  for (let strip = chain.nextStrip(); strip !== null; strip = chain.nextStrip()) {
    const { start, end } = strip;
    checkWanted();
    chain.add(top.map((band) => band.subarray(start * width, end * width)));
  }
  return blocks.finish();
}

/** Bytes that encoding a part takes at most, without what reading its pixels takes. */
export function estimatePartBytes({ plan }: Pick<PartedCog, 'plan'>, { levels, bandCount }: CogPart): number {
  const bytes = bytesPerSample[plan.type];
  const sizes = levels.map(({ made: { columns, rows } }) => ({
    width: columns.end - columns.start,
    height: rows.end - rows.start,
  }));
  const strips = sizes.reduce((sum, { width, height }) => sum + width * Math.min(height, plan.blockSize), 0);
  const encoded = sizes.reduce((sum, { width, height }) => sum + width * height, 0);
  // a block on its way: gathered, predicted, compressed
  const block = 3 * plan.blockSize ** 2 * plan.samplesPerBlock * bytes;
  return Math.ceil((strips + encoded) * bandCount * bytes + block);
}

/** What frames and headers add to a block that does not compress. */
const SPARE_BLOCK_BYTES = 1_024;
/** Parts that do not compress at all are rare: beyond this they bring their own memory. */
const MAX_ROOM_BYTES = 128 * 2 ** 20;

/**
 * Memory for the encoded blocks of any part, which is used again for the next one: a buffer for each part would have to
 * be cleared and collected, which took a sixth of the time.
 */
export function makePartRoom({ plan, parts }: PartedCog): SharedArrayBuffer {
  const blockBytes = plan.blockSize ** 2 * plan.samplesPerBlock * bytesPerSample[plan.type];
  const planesOf = (part: CogPart): number => (plan.planes === 1 ? 1 : part.bandCount);
  const blocksOf = ({ columns, rows }: LevelSpans): number =>
    Math.ceil((columns.end - columns.start) / plan.blockSize) *
    Math.ceil((rows.end - rows.start) / plan.blockSize);
  const most = parts.reduce(
    (max, part) =>
      Math.max(max, planesOf(part) * part.levels.reduce((sum, { own }) => sum + blocksOf(own), 0)),
    0,
  );
  return new SharedArrayBuffer(Math.min(most * (blockBytes + SPARE_BLOCK_BYTES), MAX_ROOM_BYTES));
}

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
function makeLevelChain(options: LevelChainOptions, position = 0): LevelChain {
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
  const { type, nodata } = plan;
  const methods = plan.overviewMethods.slice(options.firstBand, options.firstBand + bandCount);
  const { width, height } = plan.levels[options.firstLevel + position] as CogLevel;
  const { columns } = (levels[position] as PartLevel).made;
  const part = (levels[position + 1] as PartLevel).made;
  const madeWidth = columns.end - columns.start;
  const next = makeStripBuffer(options, position + 1);
  if (isInFours({ width, height })) {
    const halve = makeHalveStrip({ type, nodata });
    return (bands: readonly PixelArray[], rows: number): void =>
      next.addRows(rows / 2, (band, into, start) => {
        const reduce = methods[band] === 'nearest' ? pickStrip : halve;
        reduce({ pixels: bands[band] as PixelArray, width: madeWidth, rows }, into, start);
      });
  }
  const isAverage = methods.every((method) => method === 'average');
  if (isAverage && type !== 'float32' && hostIsLittleEndian) {
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
  const reducer = makeBandsReducer(methods, { type, nodata, width, height, part });
  return (bands: readonly PixelArray[], rows: number): void => {
    for (let y = 0; y < rows; y++) {
      const reduced = reducer.push(bands, y * madeWidth);
      if (reduced !== null) next.addRows(1, (band, into, start) => into.set(reduced[band]!, start));
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
