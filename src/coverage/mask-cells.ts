/**
 * Cells of a mask: squares of its pixels, each of which is without data, clear or cloudy. A cell is what is stored of a
 * scene, so that areas next to each other share what was read.
 */

import type { Size } from '../geo/index.ts';
import type { PixelWindow } from '../raster/index.ts';

/** Pixels on each side of a cell: 2.6 km of Sentinel-2's classification, 3.8 km of Landsat. */
export const CELL_PX = 128;

/** What a pixel of a mask says. */
export const STATES = { noData: 0, clear: 1, cloud: 2 } as const;

/** Cells in a row of an image; the last one may be narrower. */
export const cellsAcross = ({ width }: Pick<Size, 'width'>): number => Math.ceil(width / CELL_PX);

/** The pixels of a cell, which are counted row by row. */
export function cellWindow(cell: number, image: Size): PixelWindow {
  const across = cellsAcross(image);
  const [x, y] = [(cell % across) * CELL_PX, Math.floor(cell / across) * CELL_PX];
  return {
    x,
    y,
    width: Math.min(CELL_PX, image.width - x),
    height: Math.min(CELL_PX, image.height - y),
  };
}

/** The first byte of a packed cell: how the rest is written. */
const AS_RUNS = 0;
const AS_PIXELS = 1;

/** Four states fit into a byte. */
const STATE_BITS = 2;
const PIXELS_PER_BYTE = 4;
const STATE_MASK = 3;

/**
 * Packs the states of a cell as runs of equal ones, or two bits a pixel where that is shorter. Clouds have few edges: most
 * cells are one run of four bytes, others a few hundred bytes of 4,096. A run is its length and state in one number, seven
 * bits a byte, the lowest first.
 */
export function packCell(states: Uint8Array): Uint8Array {
  const plainLength = 1 + Math.ceil(states.length / PIXELS_PER_BYTE);
  const packed = new Uint8Array(plainLength);
  packed[0] = AS_RUNS;
  let end = 1;
  for (let from = 0; from < states.length; ) {
    const state = states[from] as number;
    let to = from + 1;
    while (to < states.length && states[to] === state) to += 1;
    let rest = ((to - from) << STATE_BITS) | state;
    for (; rest > 0x7f; rest >>>= 7) {
      if (end < plainLength) packed[end] = (rest & 0x7f) | 0x80;
      end += 1;
    }
    if (end < plainLength) packed[end] = rest;
    end += 1;
    if (end > plainLength) return packPixels(states);
    from = to;
  }
  return packed.slice(0, end);
}

function packPixels(states: Uint8Array): Uint8Array {
  const packed = new Uint8Array(1 + Math.ceil(states.length / PIXELS_PER_BYTE));
  packed[0] = AS_PIXELS;
  for (let i = 0; i < states.length; i += 1) {
    const at = 1 + Math.floor(i / PIXELS_PER_BYTE);
    packed[at] = (packed[at] as number) | ((states[i] as number) << (STATE_BITS * (i % PIXELS_PER_BYTE)));
  }
  return packed;
}

/** Pixels of an area by what the mask says. */
export interface PixelCounts {
  clear: number;
  cloud: number;
}

/**
 * Adds the pixels of a packed cell that lie in runs: the first pixel of each and the one after its last, in order, in the
 * numbers from `from` to `to`.
 */
export function countCell(
  packed: Uint8Array,
  runs: Uint32Array,
  { from, to }: { readonly from: number; readonly to: number },
  counts: PixelCounts,
): void {
  if (packed[0] === AS_PIXELS) {
    for (let run = from; run < to; run += 2) {
      for (let i = runs[run] as number; i < (runs[run + 1] as number); i += 1) {
        const byte = packed[1 + Math.floor(i / PIXELS_PER_BYTE)] as number;
        add(counts, (byte >> (STATE_BITS * (i % PIXELS_PER_BYTE))) & STATE_MASK, 1);
      }
    }
    return;
  }
  let run = from;
  let start = 0;
  for (let at = 1; at < packed.length && run < to; ) {
    let [number, shift, byte] = [0, 0, 0];
    do {
      byte = packed[at] as number;
      number |= (byte & 0x7f) << shift;
      shift += 7;
      at += 1;
    } while (byte > 0x7f && at < packed.length);
    const end = start + (number >>> STATE_BITS);
    // All runs of the area that begin before this run of equal states ends; the last one may go on in the next.
    while (run < to && (runs[run] as number) < end) {
      const last = runs[run + 1] as number;
      const both = Math.min(last, end) - Math.max(runs[run] as number, start);
      if (both > 0) add(counts, number & STATE_MASK, both);
      if (last > end) break;
      run += 2;
    }
    start = end;
  }
}

function add(counts: PixelCounts, state: number, pixels: number): void {
  if (state === STATES.clear) counts.clear += pixels;
  else if (state === STATES.cloud) counts.cloud += pixels;
}
