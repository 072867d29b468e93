import { internal } from '../../errors.ts';
import type { PixelArray, PixelWindow } from '../../raster/index.ts';
import { bytesPerSample } from '../../raster/index.ts';
import type { CogLevel } from './cog-options.ts';
import type { EncodedBlocks } from './encoded-blocks.ts';
import { makeBlockList } from './encoded-blocks.ts';
import { makeLevelChain } from './level-chain.ts';
import type { LevelSpans, PartLevel } from './part-windows.ts';
import type { CogPart, PartedCog } from './plan-cog-parts.ts';
import type { Span } from './row-reducer.ts';

/** What a part is made of. */
export interface PartSource {
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

/** What frames and headers add to a block that does not compress. */
const SPARE_BLOCK_BYTES = 1_024;
/** Parts that do not compress at all are rare: beyond this they bring their own memory. */
const MAX_ROOM_BYTES = 128 * 2 ** 20;

function copyStrip(from: PixelArray, { columns, rows }: LevelSpans, to: PixelArray, toWidth: number): void {
  const width = columns.end - columns.start;
  for (let y = rows.start; y < rows.end; y++) {
    const start = (y - rows.start) * width;
    to.set(from.subarray(start, start + width), y * toWidth + columns.start);
  }
}
