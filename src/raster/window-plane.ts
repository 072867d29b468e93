import { internal } from './errors.ts';
import type { Allocate, Kernels } from './kernels.ts';
import type { PixelArray } from './pixel-type.ts';
import type { PixelWindow } from './plan-warp.ts';

/** A rectangle of decoded samples of one band, and its position in a window. */
export interface PixelPiece {
  readonly pixels: PixelArray;
  readonly width: number;
  readonly height: number;
  /** Upper left corner in the window's pixels; negative when the piece begins outside. */
  readonly corner: { readonly x: number; readonly y: number };
  /** The mask that the file stores, 1 or 0 per pixel; null when it has none. */
  readonly mask: Uint8Array | null;
}

/** Takes the pieces of a window, in any order. */
export interface PieceSink {
  /** Called before the first piece, and again when all of them are sent once more. */
  begin(): void;
  add(piece: PixelPiece): void;
}

/** Buffer for pieces on their way in, shared by all planes of a job. */
export interface Staging {
  /** Address of at least `byteLength` bytes, whose contents last until the next call. */
  take(byteLength: number): number;
}

/** Makes the staging of one job. */
export function makeStaging(allocate: Allocate): Staging {
  let [at, room] = [0, 0];
  return {
    take(byteLength) {
      if (byteLength > room) [at, room] = [allocate(byteLength), byteLength];
      return at;
    },
  };
}

/** The float32 plane of a window in the kernels' memory, filled piece by piece. */
export interface WindowPlane extends PieceSink {
  /** True when a pixel added so far has no data. */
  readonly hasEmpty: boolean;
  /** Where the window lies as 16-bit words, if they were to be kept and all its pixels are data; 0 otherwise. */
  readonly wordsAt: number;
  /** Makes floats of kept words. */
  widen(): void;
}

interface WindowPlaneOptions {
  readonly kernels: Kernels;
  readonly staging: Staging;
  readonly window: PixelWindow;
  /** Where the values go: 4 bytes per pixel of the window. */
  readonly valuesAt: number;
  /** Where the mask goes once a pixel is empty: a byte per pixel. Until then nothing is written there. */
  readonly maskAt: number;
  readonly nodata: number | null;
  /** Unsigned words may stay words, in the upper half of the values. They become floats with the first empty pixel. */
  readonly keepsWords?: boolean | undefined;
}

/** Types in the order kernels/expand.ts counts them. */
const TYPES = [
  Uint8Array,
  Uint16Array,
  Int16Array,
  Float32Array,
  Int8Array,
  Uint32Array,
  Int32Array,
  Float64Array,
] as const;

/** The place of unsigned words among them. */
const WORDS = 1;

/** Narrower parts of a piece are copied row by row: one copy of whole rows would move more than four times as much. */
const WHOLE_ROWS_SHARE = 1 / 4;

/**
 * Begins a plane. Pixels are empty when they equal `nodata`, are not a number, or are masked in the file. Most windows
 * have none, and the search costs nothing compared with the conversion, so the mask is written only from the first one
 * on.
 */
export function makeWindowPlane(options: WindowPlaneOptions): WindowPlane {
  const { kernels, staging, window, valuesAt, maskAt, nodata, keepsWords = false } = options;
  const count = window.width * window.height;
  const wordsAt = valuesAt + 2 * count;
  let hasEmpty = false;
  let areWords = keepsWords;

  const needMask = (): void => {
    if (hasEmpty) return;
    hasEmpty = true;
    new Uint8Array(kernels.buffer(), maskAt, count).fill(1);
  };

  /** The values grow over their words from the front, and never reach one that is still to be read. */
  const widen = (): void => {
    if (!areWords) return;
    areWords = false;
    widenWords(kernels, { wordsAt, valuesAt, count });
  };

  return {
    get hasEmpty() {
      return hasEmpty;
    },
    get wordsAt() {
      return areWords ? wordsAt : 0;
    },
    widen,
    begin() {
      hasEmpty = false;
      areWords = keepsWords;
    },
    add(piece) {
      const part = overlap(window, piece);
      if (part === null || (areWords && addWords(piece, part))) return;
      widen();
      const type = TYPES.findIndex((Type) => piece.pixels instanceof Type);
      if (type < 0)
        throw internal('sample-type', 'A block has samples of a type that the kernels do not know.');
      const canBeEmpty = nodata !== null && holds(piece.pixels, nodata) ? 1 : 0;
      const isMasked = piece.mask?.includes(0) === true;
      for (const slice of slicesOf(piece, part)) {
        const { left, top, cols, rows } = slice;
        const first = top * window.width + left;
        const { at, stride } =
          piece.pixels instanceof Float32Array
            ? copyFloats(piece.pixels, piece, slice, first)
            : stage(kernels, staging, piece, slice);
        const source = [type, at, stride] as const;
        const size = [window.width, cols, rows, canBeEmpty, nodata ?? 0] as const;
        const isEmpty = kernels.run.expand(...source, valuesAt + first * 4, ...size) === 1;
        if (isMasked || isEmpty) needMask();
        if (isMasked) copyMask(piece, slice, first);
        if (isEmpty) kernels.run.maskEmpty(...source, maskAt + first, ...size);
      }
    },
  };

  /** Copies words without converting them; false if a pixel is empty or may be, so that the piece must be added as floats. */
  function addWords(piece: PixelPiece, part: Part): boolean {
    const { pixels, mask } = piece;
    if (!(pixels instanceof Uint16Array) || mask !== null) return false;
    const canBeEmpty = nodata !== null && holds(pixels, nodata) ? 1 : 0;
    for (const slice of slicesOf(piece, part)) {
      const { left, top, cols, rows } = slice;
      const { at, stride } = stage(kernels, staging, piece, slice);
      const to = wordsAt + 2 * (top * window.width + left);
      const size = [window.width, cols, rows, canBeEmpty, nodata ?? 0] as const;
      if (kernels.run.copyWords(at, stride, to, ...size) === 1) return false;
    }
    return true;
  }

  /** Floats need no conversion: they go straight into the plane, where only empty ones are looked for. */
  function copyFloats(
    pixels: Float32Array,
    { corner, width }: PixelPiece,
    { left, top, cols, rows }: Part,
    first: number,
  ) {
    const target = Buffer.from(kernels.buffer(), valuesAt, 4 * window.width * window.height);
    const bytes = toBytes(pixels);
    for (let y = 0; y < rows; y += 1) {
      const from = 4 * ((top + y - corner.y) * width + left - corner.x);
      bytes.copy(target, 4 * (first + y * window.width), from, from + 4 * cols);
    }
    return { at: valuesAt + first * 4, stride: window.width };
  }

  function copyMask({ mask, corner, width }: PixelPiece, { left, top, cols, rows }: Part, first: number) {
    const target = new Uint8Array(kernels.buffer(), maskAt, window.width * window.height);
    for (let y = 0; y < rows; y += 1) {
      const from = (top + y - corner.y) * width + left - corner.x;
      target.set((mask as Uint8Array).subarray(from, from + cols), first + y * window.width);
    }
  }
}

/** Makes floats of 16-bit words that are all data. */
export function widenWords(
  kernels: Kernels,
  {
    wordsAt,
    valuesAt,
    count,
  }: { readonly wordsAt: number; readonly valuesAt: number; readonly count: number },
): void {
  kernels.run.expand(WORDS, wordsAt, count, valuesAt, count, count, 1, 0, 0);
}

/** What is staged at a time: as much as the L2 cache of a core, and little compared with the window. */
const STAGING_BYTES = 1024 * 1024;

/** The part in slices of whole rows that fit into the staging. */
function* slicesOf({ pixels, width }: PixelPiece, part: Part): Generator<Part> {
  const rows = Math.max(1, Math.floor(STAGING_BYTES / (width * pixels.BYTES_PER_ELEMENT)));
  for (let y = 0; y < part.rows; y += rows) {
    yield { ...part, top: part.top + y, rows: Math.min(rows, part.rows - y) };
  }
}

interface Part {
  readonly left: number;
  readonly top: number;
  readonly cols: number;
  readonly rows: number;
}

function overlap(window: PixelWindow, { corner, width, height }: PixelPiece): Part | null {
  const [left, top] = [Math.max(0, corner.x), Math.max(0, corner.y)];
  const cols = Math.min(window.width, corner.x + width) - left;
  const rows = Math.min(window.height, corner.y + height) - top;
  return cols > 0 && rows > 0 ? { left, top, cols, rows } : null;
}

/** Copies the wanted samples into the kernels' memory unchanged; the stride counts samples. */
function stage(kernels: Kernels, staging: Staging, { pixels, width, corner }: PixelPiece, part: Part) {
  const { left, top, cols, rows } = part;
  const sampleBytes = pixels.BYTES_PER_ELEMENT;
  const firstRow = top - corner.y;
  const firstCol = left - corner.x;
  const bytes = toBytes(pixels);
  if (cols >= width * WHOLE_ROWS_SHARE) {
    const at = staging.take(rows * width * sampleBytes);
    const from = firstRow * width * sampleBytes;
    bytes.copy(Buffer.from(kernels.buffer(), at), 0, from, from + rows * width * sampleBytes);
    return { at: at + firstCol * sampleBytes, stride: width };
  }
  const at = staging.take(rows * cols * sampleBytes);
  const target = Buffer.from(kernels.buffer(), at);
  for (let y = 0; y < rows; y += 1) {
    const from = ((firstRow + y) * width + firstCol) * sampleBytes;
    bytes.copy(target, y * cols * sampleBytes, from, from + cols * sampleBytes);
  }
  return { at, stride: cols };
}

/**
 * Samples lie in memory that threads share. From there typed arrays copy byte by byte, or eight at a time if both sides
 * begin at multiples of eight; buffers copy as fast as the memory allows: rows of 215 floats in a quarter of the time.
 */
const toBytes = ({ buffer, byteOffset, byteLength }: PixelArray): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

/** Whether the array's type can hold the number: otherwise no sample equals it. */
function holds(pixels: PixelArray, value: number): boolean {
  const probe = new (pixels.constructor as new (length: number) => PixelArray)(1);
  probe[0] = value;
  return probe[0] === value;
}

/**
 * Clears in a mask what another one lacks, four pixels at a time: planes begin at whole words and have room after them.
 */
export function keepCommon(
  kernels: Kernels,
  { maskAt, alsoAt, count }: { readonly maskAt: number; readonly alsoAt: number; readonly count: number },
): void {
  const words = Math.ceil(count / 4);
  const mask = new Int32Array(kernels.buffer(), maskAt, words);
  const also = new Int32Array(kernels.buffer(), alsoAt, words);
  for (let i = 0; i < words; i++) mask[i] = (mask[i] as number) & (also[i] as number);
}

/** Joins masks into the first of them and returns its address; several of them may be the same. */
export function joinMasks(kernels: Kernels, masksAt: readonly number[], count: number): number {
  const [maskAt = 0, ...others] = new Set(masksAt);
  for (const alsoAt of others) keepCommon(kernels, { maskAt, alsoAt, count });
  return maskAt;
}

/** Writes a value over the pixels of a plane that its mask leaves out or that are not a number. */
export function fillEmpty(
  kernels: Kernels,
  plane: { readonly valuesAt: number; readonly maskAt: number },
  { count, value }: { readonly count: number; readonly value: number },
): void {
  kernels.run.fillEmpty(plane.valuesAt, plane.maskAt, count, value);
}

/** Allocates the values of a window in several bands. */
export function allocateSource(allocate: Allocate, { width, height }: PixelWindow, bandCount: number) {
  const planeBytes = align(width * height * 4);
  return { planeBytes, valuesAt: allocate(planeBytes * bandCount) };
}

/** Planes begin at multiples of 16 bytes, as allocations do. */
export const align = (byteLength: number): number => Math.ceil(byteLength / 16) * 16;
