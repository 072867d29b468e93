import type { Allocate, Kernels } from '../../raster/index.ts';
import { withKernels } from '../tiff/codecs/byte-codecs.ts';
import { MARKER, toSizSegment } from './headers/main-header.ts';

import type { CodedBand, CodedBlock } from './packets/packet-writer.ts';
import { writePacketHeader } from './packets/packet-writer.ts';
import { toTileHead } from './written-file.ts';

/** A tile to be encoded as an image of its own. */
interface EncodeJob {
  readonly width: number;
  readonly height: number;
  readonly bandCount: number;
  /** Up to 8 for samples of one byte, up to 16 for those of two. */
  readonly bitsPerSample: number;
  /** Times that the tile is halved; each side must have at least two to that power of pixels. */
  readonly decompositions: number;
  /** Pixel by pixel, in little-endian order. */
  readonly samples: Uint8Array;
}

/** The lossless encoder, in the kernels of the thread; the same samples give the same bytes everywhere. */
export interface Jp2Encoder {
  /** A bare codestream of one tile. */
  encode(job: EncodeJob): Promise<Uint8Array>;
}

/** Builds the encoder of a thread. */
export const makeJp2Encoder = (): Jp2Encoder => ({
  async encode(job) {
    const packets = withKernels((kernels, allocate) => encodePackets(kernels, allocate, job));
    const size = { ...job, tileWidth: job.width, tileHeight: job.height, isSigned: false };
    return Buffer.concat([
      toMarker(MARKER.soc),
      toSizSegment(size),
      toCodSegment(job),
      toQcdSegment(job),
      toTileHead(0, packets.length),
      packets,
      toMarker(MARKER.eoc),
    ]);
  },
});

const toMarker = (marker: number): Uint8Array => Uint8Array.of(marker >> 8, marker & 0xff);

/** Resolution by resolution, so that a small copy of a tile is at its beginning. */
const RPCL = 2;
/** Sides of code-blocks, and as COD has them. */
const BLOCK_SIDE = 64;
const BLOCK_EXPONENT = 4;
/** The wavelet of 5 and 3 taps. */
const REVERSIBLE = 1;
/** Bit-planes that coefficients may have beyond those of samples, for what the transforms add. */
const GUARD_BITS = 2;

function toCodSegment({ bandCount, decompositions }: EncodeJob): Uint8Array {
  const hasColors = bandCount === 3 ? 1 : 0;
  return Uint8Array.of(
    ...toMarker(MARKER.cod),
    ...[0, 12, 0, RPCL, 0, 1, hasColors],
    ...[decompositions, BLOCK_EXPONENT, BLOCK_EXPONENT, 0, REVERSIBLE],
  );
}

/** QCD without quantisation: the bits of each subband, smallest resolution first. */
function toQcdSegment({ bitsPerSample, decompositions }: EncodeJob): Uint8Array {
  const bits = Array.from({ length: decompositions }, () => [1, 1, 2].map((more) => bitsPerSample + more));
  const all = [bitsPerSample, ...bits.flat()].map((count) => count << 3);
  return Uint8Array.of(...toMarker(MARKER.qcd), 0, 3 + all.length, GUARD_BITS << 5, ...all);
}

/** A subband in the plane of its band. */
interface Subband {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** As kernels/jp2-block.ts names it. */
  readonly kind: 0 | 1 | 2;
  /** What its coefficients may have more than the samples. */
  readonly moreBits: number;
}

/** The subbands of each resolution, smallest first: those that are high across, down, and both. */
function listResolutions({ width, height, decompositions }: EncodeJob): readonly (readonly Subband[])[] {
  const sides = [{ width, height }];
  for (let level = 0; level < decompositions; level += 1) {
    const { width: across, height: down } = sides[level]!;
    sides.push({ width: (across + 1) >> 1, height: (down + 1) >> 1 });
  }
  const resolutions: Subband[][] = [[{ x: 0, y: 0, ...sides[decompositions]!, kind: 0, moreBits: 0 }]];
  for (let level = decompositions; level > 0; level -= 1) {
    const low = sides[level]!;
    const whole = sides[level - 1]!;
    const high = { width: whole.width - low.width, height: whole.height - low.height };
    resolutions.push([
      { x: low.width, y: 0, width: high.width, height: low.height, kind: 1, moreBits: 1 },
      { x: 0, y: low.height, width: low.width, height: high.height, kind: 0, moreBits: 1 },
      { x: low.width, y: low.height, ...high, kind: 2, moreBits: 2 },
    ]);
  }
  return resolutions;
}

/** A code-block: where its first coefficient is, its size, and the kind of its subband. */
type BlockWindow = readonly [at: number, cols: number, rows: number, kind: number];

/** The code-blocks of a subband, row by row; `plane` holds rows of `stride` coefficients. */
function listBlocks(band: Subband, plane: number, stride: number): readonly BlockWindow[] {
  const windows: BlockWindow[] = [];
  for (let y = 0; y < band.height; y += BLOCK_SIDE) {
    for (let x = 0; x < band.width; x += BLOCK_SIDE) {
      const at = plane + ((band.y + y) * stride + band.x + x) * 4;
      const rows = Math.min(BLOCK_SIDE, band.height - y);
      windows.push([at, Math.min(BLOCK_SIDE, band.width - x), rows, band.kind]);
    }
  }
  return windows;
}

/** kernels/jp2-block.ts: its work memory, and room for a block whose bits do not compress, with a byte before it. */
const WORK_BYTES = 227_840;
const BLOCK_BYTES = 64 * 1024;

/** Builds the coding of code-blocks: two at a time, as the kernel codes them side by side. */
function makeCodeBlocks({ run, buffer }: Kernels, allocate: Allocate, stride: number) {
  const work = allocate(WORK_BYTES);
  const outs = [allocate(BLOCK_BYTES), allocate(BLOCK_BYTES)] as const;
  return (windows: readonly BlockWindow[]): readonly CodedBlock[] => {
    const memory = new Uint8Array(buffer());
    const list = (i: number, place: number): number => {
      const window = windows[i];
      if (window === undefined) return 0;
      const [at, cols, rows, kind] = window;
      return run.listJp2Block(at, stride, cols, rows, kind, work, place);
    };
    const blocks: CodedBlock[] = [];
    for (let i = 0; i < windows.length; i += 2) {
      const listed = [list(i, 0), list(i + 1, 1)] as const;
      const first = run.codeJp2Blocks(work, listed[0] >>> 5, outs[0], listed[1] >>> 5, outs[1]);
      const sizes = [first, new DataView(memory.buffer).getInt32(work, true)] as const;
      for (const place of [0, 1] as const) {
        const planes = listed[place] & 31;
        const start = outs[place] + 1;
        const bytes = memory.slice(start, start + (planes === 0 ? 0 : sizes[place]));
        if (i + place < windows.length) blocks.push({ planes, bytes });
      }
    }
    return blocks;
  };
}

/** The packets of a tile: wavelets of each band, code-blocks, and headers. */
function encodePackets(kernels: Kernels, allocate: Allocate, job: EncodeJob): Uint8Array {
  const { width, height, bandCount, bitsPerSample, samples } = job;
  const { run } = kernels;
  const sampleBytes = bitsPerSample > 8 ? 2 : 1;
  const planeBytes = width * height * 4;
  const planes = Array.from({ length: bandCount }, () => allocate(planeBytes));
  // The samples are not needed once the planes are there: the details lie where they were.
  const details = allocate(Math.max(planeBytes, samples.length));
  const codeBlocks = makeCodeBlocks(kernels, allocate, width);
  new Uint8Array(kernels.buffer()).set(samples, details);
  for (const [band, plane] of planes.entries()) {
    const from = details + band * sampleBytes;
    run.centerSamples(from, sampleBytes, bandCount, plane, width * height, 2 ** (bitsPerSample - 1));
  }
  if (bandCount === 3) run.separateColors(planes[0]!, planes[1]!, planes[2]!, width * height);

  /** A packet holds all of a resolution: bands of the image have one precinct, and one layer. */
  const codePacket = (bands: readonly Subband[], plane: number): Uint8Array => {
    const blocks = codeBlocks(bands.flatMap((band) => listBlocks(band, plane, width)));
    let end = 0;
    const coded = bands.map((band): CodedBand => {
      const across = Math.ceil(band.width / BLOCK_SIDE);
      const down = Math.ceil(band.height / BLOCK_SIDE);
      const maxPlanes = bitsPerSample + band.moreBits + GUARD_BITS - 1;
      const start = end;
      end += across * down;
      return { across, down, maxPlanes, blocks: blocks.slice(start, end) };
    });
    return Buffer.concat([writePacketHeader(coded), ...blocks.map(({ bytes }) => bytes)]);
  };
  const resolutions = listResolutions(job);
  const packets = planes.map((plane) => {
    for (let level = resolutions.length - 1; level > 0; level -= 1) {
      const { x, y, width: cols, height: rows } = resolutions[level]!.at(-1)!;
      run.halveWavelet(plane, details, width, x + cols, y + rows);
    }
    return resolutions.map((bands, level) => codePacket(bands, level === 0 ? plane : details));
  });
  return Buffer.concat(resolutions.flatMap((_, level) => packets.map((ofBand) => ofBand[level]!)));
}
