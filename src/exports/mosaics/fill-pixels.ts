import { workInOrder } from '../../async/index.ts';
import type { Stretch } from '../../color/index.ts';
import type { Grid } from '../../geo/index.ts';
import type { Mosaics } from '../../mosaic/index.ts';
import type { Ticket } from '../../pool/index.ts';
import type { PixelWindow } from '../../raster/index.ts';
import type { PartPixels } from './encode-mosaic-part.ts';
import type { MosaicScenes, UsedScenes } from './mosaic-scenes.ts';
import { listWindows } from './plan-mosaic-grid.ts';
import type { BlockSource } from './read-blocks.ts';
import { readBlocks } from './read-blocks.ts';

/** What the pixels of a file are made of. */
export interface MosaicPixels extends BlockSource {
  readonly mosaics: Pick<Mosaics, 'plan' | 'readValues' | 'paint'>;
  readonly grid: Grid;
  readonly numbers: MosaicScenes;
  /** Takes the scenes that have given pixels. */
  readonly used: UsedScenes;
  readonly kind: MosaicKind;
}

/** What is read of each block: as many channels, or a picture with a contrast for each channel. */
export type MosaicKind =
  | { readonly kind: 'values'; readonly channels: number }
  | { readonly kind: 'painted'; readonly contrast: readonly Stretch[] };

/** How a window is filled. */
interface Filling {
  readonly window: PixelWindow;
  readonly ticket: Ticket;
  /** Blocks that are read at the same time. */
  readonly atOnce: number;
  /** Called after each block. */
  onBlock(): void;
}

/** Bytes of a pixel. */
export const pixelBytes = (kind: MosaicKind): number => (kind.kind === 'painted' ? 4 : 4 * kind.channels + 3);

/** Puts a window of a mosaic together, block by block, in memory that threads share: `room`, as far as it is needed. */
export async function fillPixels(
  source: MosaicPixels,
  { window, ticket, atOnce, onBlock }: Filling,
  room: PartPixels,
): Promise<PartPixels> {
  const pixels = takePixels(room, window.width * window.height);
  const read = (block: PixelWindow, signal: AbortSignal): Promise<void> =>
    readInto(pixels, source, { window, block, ticket: { ...ticket, signal } });
  const blocks = workInOrder(listWindows(window), { atOnce, signal: ticket.signal }, read);
  for await (const _ of blocks) onBlock();
  return pixels;
}

/** Memory for as many pixels, which several windows may use one after the other. */
export function makePixels(kind: MosaicKind, count: number): PartPixels {
  if (kind.kind === 'painted')
    return { kind: 'painted', rgba: new Uint8Array(new SharedArrayBuffer(4 * count)) };
  return {
    kind: 'values',
    channels: Array.from({ length: kind.channels }, () => new Float32Array(new SharedArrayBuffer(4 * count))),
    mask: new Uint8Array(new SharedArrayBuffer(count)),
    sources: new Uint16Array(new SharedArrayBuffer(2 * count)),
  };
}

/** The first pixels of some memory, empty. */
function takePixels(room: PartPixels, count: number): PartPixels {
  if (room.kind === 'painted') return { ...room, rgba: room.rgba.subarray(0, 4 * count).fill(0) };
  return {
    ...room,
    channels: room.channels.map((values) => values.subarray(0, count)),
    // What is not masked is not looked at.
    mask: room.mask.subarray(0, count).fill(0),
    sources: room.sources.subarray(0, count),
  };
}

interface Placed {
  readonly window: PixelWindow;
  readonly block: PixelWindow;
  readonly ticket: Ticket;
}

async function readInto(
  pixels: PartPixels,
  source: MosaicPixels,
  { window, block, ticket }: Placed,
): Promise<void> {
  const { mosaics, grid, numbers, used, outline, kind } = source;
  const place = { grid, window: block, ticket };
  if (pixels.kind === 'painted') {
    const contrast = kind.kind === 'painted' ? kind.contrast : [];
    const read = readBlocks(source, place, (planned, own) => mosaics.paint(planned, contrast, own));
    for await (const { window: from, result } of read) {
      used.add(result.sources);
      copyRows(result.rgba, pixels.rgba, { from, into: window }, 4);
    }
    return;
  }
  const read = readBlocks(source, place, (planned, own) => mosaics.readValues(planned, outline, own));
  for await (const { window: from, planned, result } of read) {
    const { channels, mask, indexes, counts, sources } = result;
    used.add(sources);
    const names = numbers.toNumbers(planned);
    const where = { from, into: window };
    for (const [i, values] of channels.entries()) copyRows(values, pixels.channels[i]!, where);
    copyRows(mask, pixels.mask, where);
    const named = indexes?.map((index) => names[index] ?? 0) ?? counts;
    if (named !== null) copyRows(named, pixels.sources, where);
  }
}

type Plane = Uint8Array | Uint16Array | Float32Array;

/** Copies the rows of a block to their place in a larger window. */
function copyRows(
  pixels: Plane,
  target: Plane,
  { from, into }: { readonly from: PixelWindow; readonly into: PixelWindow },
  samples = 1,
): void {
  for (let row = 0; row < from.height; row += 1) {
    const start = row * from.width * samples;
    const to = ((from.y - into.y + row) * into.width + from.x - into.x) * samples;
    target.set(pixels.subarray(start, start + from.width * samples), to);
  }
}
