import { readFileSync } from 'node:fs';
import { internal, tooLarge } from './errors.ts';
import type { StackKernels } from './stack-kernels.ts';

/** The functions of `kernels/dist/swath.wasm`; all parameters are addresses, counts or flags. */
interface KernelExports extends Readonly<Record<WarpKernel, (job: number) => void>>, StackKernels {
  readonly memory: WasmMemory;
  heapBase(): number;
  stretch(
    ...addresses: [
      red: number,
      green: number,
      blue: number,
      mask: number,
      rgba: number,
      count: number,
      ranges: number,
    ]
  ): number;
  paintCurves(
    ...addresses: [
      red: number,
      green: number,
      blue: number,
      mask: number,
      rgba: number,
      count: number,
      jobs: number,
    ]
  ): number;
  paintSteps(...numbers: [...PaintedPixels, job: number]): number;
  paintBits(
    ...numbers: [...PaintedPixels, tables: number, groups: number, shift: number, hole: number]
  ): void;
  paintHoles(...numbers: [...PaintedPixels, hole: number]): void;
  paintIndexes(...numbers: [indexes: number, table: number, rgba: number, count: number]): void;
  markUsed(indexes: number, used: number, count: number): void;
  png(...numbers: PngNumbers): number;
  pngStrip(...numbers: [...PngNumbers, isLast: number]): number;
  jpegStart(job: number): void;
  jpegRows(job: number, firstRow: number, endRow: number): number;
  expand(...numbers: ExpandNumbers): number;
  copyWords(
    ...numbers: [
      from: number,
      fromStride: number,
      to: number,
      toStride: number,
      cols: number,
      rows: number,
      hasNodata: number,
      nodata: number,
    ]
  ): number;
  nearWordPlanes(job: number): void;
  nearWords(
    ...addresses: [job: number, red: number, green: number, blue: number, rgba: number, ranges: number]
  ): number;
  maskEmpty(...numbers: ExpandNumbers): void;
  lzw(
    ...addresses: [
      stored: number,
      storedBytes: number,
      out: number,
      outBytes: number,
      table: number,
      old: number,
    ]
  ): number;
  inflate(job: number): number;
  adler32(sum: number, from: number, bytes: number): number;
  centerSamples(
    ...numbers: [from: number, sampleBytes: number, step: number, to: number, count: number, middle: number]
  ): void;
  separateColors(red: number, green: number, blue: number, count: number): void;
  halveWavelet(
    ...numbers: [plane: number, details: number, stride: number, width: number, height: number]
  ): void;
  listJp2Block(
    ...numbers: [
      from: number,
      stride: number,
      width: number,
      height: number,
      kind: number,
      work: number,
      place: number,
    ]
  ): number;
  codeJp2Blocks(
    ...numbers: [work: number, bytes: number, out: number, otherBytes: number, otherOut: number]
  ): number;
  zlib(...numbers: [from: number, bytes: number, out: number, pairs: number, blockBytes: number]): number;
  sharpenComposite(
    ...numbers: [
      bands: number,
      weights: number,
      bandCount: number,
      pan: number,
      mask: number,
      count: number,
      min: number,
      max: number,
    ]
  ): void;
  sharpenBand(...numbers: SharpenNumbers): void;
  sharpenIndex(...numbers: [...SharpenNumbers, amount: number, min: number, max: number]): void;
  shadeRelief(...numbers: [...ReliefNumbers, to: number, up: number, east: number, north: number]): void;
  slopeRelief(...numbers: [...ReliefNumbers, to: number, toMask: number]): void;
  aspectRelief(...numbers: [...ReliefNumbers, to: number, toMask: number]): void;
  padHeights(...numbers: [...HeightsNumbers, to: number, pad: number]): void;
  unpadHeights(...numbers: [from: number, width: number, height: number, values: number, mask: number]): void;
  repeatEdges(plane: number, width: number, height: number): void;
  medianOf9(...numbers: PaddedPlanes): void;
  medianOf25(...numbers: [...PaddedPlanes, columns: number]): void;
  fillVoids(...numbers: [...PaddedPlanes, tables: number, blocks: number]): void;
  removeSpikes(...numbers: [...PaddedPlanes, columns: number, slackM: number, times: number]): void;
  smoothSteps(base: number, ...numbers: [...PaddedPlanes, limitM: number]): void;
  dropImpossible(
    ...numbers: [values: number, mask: number, count: number, isMasked: number, min: number, max: number]
  ): number;
  encodeTerrarium(...numbers: EncodedHeights): void;
  encodeTerrainRgb(...numbers: EncodedHeights): void;
  filterSpeckle(
    ...numbers: [
      from: number,
      mask: number,
      width: number,
      height: number,
      left: number,
      top: number,
      toWidth: number,
      toHeight: number,
      to: number,
      columns: number,
      radius: number,
      noise: number,
    ]
  ): void;
  fillEmpty(values: number, mask: number, count: number, value: number): void;
  halveFloats(...numbers: [...HalvedImage, hole: number, empty: number, substitute: number]): void;
  halveIntegers(
    sampleBytes: number,
    ...numbers: [...HalvedImage, hasHole: number, hole: number, empty: number, substitute: number]
  ): void;
  shareIntegers(
    ...numbers: [sampleBytes: number, from: number, rows: number, to: number, sums: number, part: number]
  ): number;
  collectValues(
    ...numbers: [
      values: number,
      mask: number,
      flags: number,
      spans: number,
      spanCount: number,
      into: number,
      counts: number,
    ]
  ): number;
  flagClasses(
    ...numbers: [
      values: number,
      mask: number,
      count: number,
      classes: number,
      classCount: number,
      flag: number,
      flags: number,
    ]
  ): number;
  repeatFlags(
    ...numbers: [
      from: number,
      fromWidth: number,
      to: number,
      width: number,
      height: number,
      times: number,
      startCol: number,
      startRow: number,
    ]
  ): void;
  sumValues(
    ...numbers: [values: number, count: number, sums: number, extent: number, bins: number, work: number]
  ): number;
  selectValues(
    ...numbers: [
      values: number,
      count: number,
      bins: number,
      least: number,
      ranks: number,
      rankCount: number,
      work: number,
    ]
  ): void;
  nearFlags(job: number): number;
  summarizeFew(...numbers: [values: number, count: number, out: number, work: number]): number;
  measureRuns(...numbers: [job: number, runs: number, runCount: number, out: number]): number;
  measureShares(...numbers: SharesNumbers): number;
  collectShares(...numbers: SharesNumbers): number;
  summarizeWeighted(
    ...numbers: [values: number, weights: number, count: number, out: number, work: number]
  ): number;
  nearPlaces(job: number): void;
  gatherFlags(
    ...numbers: [places: number, source: number, flags: number, count: number, wanted: number]
  ): number;
  unpredict(to: number, ...rows: [...PredictedRows, sums: number, swaps: number]): void;
  predict(from: number, to: number, ...rows: [...PredictedRows, swaps: number]): void;
  unpredictFloats(from: number, to: number, ...rows: PredictedFloats): void;
  predictFloats(from: number, to: number, ...rows: [...PredictedFloats, work: number]): void;
}

/** The parameters of kernels/measure-shares.ts. */
type SharesNumbers = [
  job: number,
  runs: number,
  runCount: number,
  weights: number,
  firstWeight: number,
  out: number,
];

/** The parameters of kernels/png.ts. */
type PngNumbers = [
  pixels: number,
  width: number,
  height: number,
  channels: number,
  out: number,
  work: number,
  blockRows: number,
  lineBytes: number,
];

/** The parameters of kernels/pansharpen.ts for one plane. */
type SharpenNumbers = [values: number, pan: number, low: number, mask: number, count: number];

/** The parameters of kernels/relief.ts before those of its result. */
type ReliefNumbers = [heights: number, mask: number, width: number, height: number, rows: number];

/** A plane of heights with its mask. */
type HeightsNumbers = [values: number, mask: number, width: number, height: number];

/** Planes as in kernels/padded-plane.ts, and their size without the pixels on the sides. */
type PaddedPlanes = [from: number, to: number, width: number, height: number];

/** The parameters of kernels/encode-heights.ts; `unknownM` counts if `hasUnknownM` is 1. */
type EncodedHeights = [
  values: number,
  mask: number,
  rgba: number,
  count: number,
  hasUnknownM: number,
  unknownM: number,
];

/** The parameters of kernels/paint-*.ts: float32 values with their mask, and a byte for each. */
type PaintedPixels = [values: number, mask: number, indexes: number, count: number];

/** The parameters of kernels/halve.ts: the size is that of the smaller copy. */
type HalvedImage = [from: number, to: number, cols: number, rows: number];

/** The parameters of kernels/predictor.ts: rows of one block. */
type PredictedRows = [rowBytes: number, rows: number, sampleBytes: number, pixelBytes: number];

/** The parameters of kernels/floating-predictor.ts: rows of one block, whose pixels have `stride` bands. */
type PredictedFloats = [rowBytes: number, rows: number, sampleBytes: number, stride: number];

/** The parameters of kernels/expand.ts: samples in the type of the file, and a plane of values or mask. */
type ExpandNumbers = [
  type: number,
  from: number,
  fromStride: number,
  to: number,
  toStride: number,
  cols: number,
  rows: number,
  hasNodata: number,
  nodata: number,
];

/** Names of the kernels that take a warp job. */
export type WarpKernel =
  | ('near' | 'bilinear' | 'cubic' | 'cubicspline' | 'lanczos')
  | ('average' | 'mode' | 'max' | 'min' | 'med' | 'q1' | 'q3');

/** Compiled kernels with their memory; one set per thread, since a call occupies the memory until it returns. */
export interface Kernels {
  readonly run: Omit<KernelExports, 'memory' | 'heapBase'>;
  /**
   * All exports, for band math modules, which work in the same memory. Functions that take vectors cannot be called
   * from JavaScript.
   */
  readonly exports: object;
  /** The current memory buffer; growth replaces it, so views are made after all `allocate` calls. */
  readonly buffer: () => ArrayBuffer;
  /** Frees all memory, or that from an address on: each use of the kernels begins with it. */
  readonly begin: (freeAt?: number) => Allocate;
}

/** Allocates `byteLength` bytes at an address divisible by 16, or throws `work-memory` when there is no room. */
export type Allocate = (byteLength: number) => number;

const PAGE_BYTES = 65_536;
/** The same as the maximum in scripts/build-kernels.ts; a crafted request must not take more. */
const MAX_BYTES = 256 * 1024 * 1024;
/** Kernels read up to 63 bytes past the end of a plane and ignore them. */
const SLACK_BYTES = 64;

/** Reads and compiles the kernels: a few milliseconds, so a thread does it once and passes the result around. */
export function loadKernels(): Kernels {
  const file = new URL('../../kernels/dist/swath.wasm', import.meta.url);
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = new Uint8Array(readFileSync(file));
  } catch (cause) {
    throw internal('kernels-missing', 'The kernels are not built; run "npm run prepare".', { cause });
  }
  const exports = instantiate(bytes) as KernelExports;
  const { memory } = exports;
  const firstFree = align(exports.heapBase());
  return {
    run: exports,
    exports,
    buffer: () => memory.buffer,
    begin: (freeAt = firstFree) => {
      let next = align(Math.max(freeAt, firstFree));
      return (byteLength) => {
        const address = next;
        next = align(next + byteLength + SLACK_BYTES);
        growTo(memory, next);
        return address;
      };
    },
  };
}

function growTo(memory: WasmMemory, byteLength: number): void {
  if (byteLength > MAX_BYTES) {
    throw tooLarge('work-memory', 'The image needs more than 256 MiB of work memory; ask for a smaller one.');
  }
  const missing = byteLength - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE_BYTES));
}

const align = (address: number): number => Math.ceil(address / 16) * 16;

/** A memory that a compiled module exports. */
interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

interface WasmGlobal {
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  readonly Instance: new (
    module: object,
    imports?: Readonly<Record<string, object>>,
  ) => { readonly exports: unknown };
}

// The types of WebAssembly come only with the DOM library, which would also declare a window and a document.
const { Module, Instance } = (globalThis as unknown as { WebAssembly: WasmGlobal }).WebAssembly;

/** Compiles and instantiates a module with its imports, by the name of the import module; returns its exports. */
export const instantiate = (
  bytes: Uint8Array<ArrayBuffer>,
  imports: Readonly<Record<string, object>> = {},
): unknown => new Instance(new Module(bytes), imports).exports;
