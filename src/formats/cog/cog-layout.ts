import { tooLarge } from '../errors.ts';
import type { IfdEntry, PlacedDirectory } from '../tiff/directories/tags.ts';
import {
  asciiEntry,
  directoryBytes,
  FIELD,
  outsideBytes,
  SUBFILE,
  TAG,
  writeDirectory,
} from '../tiff/directories/tags.ts';
import type { GeoKeyTags } from '../tiff/georeference/geo-keys.ts';
import { toSinusoidalKeys } from '../tiff/georeference/geo-keys.ts';
import { toGeoKeys, toModelEntries, toTiepoints } from '../tiff/georeference/georeference.ts';
import { MAX_CLASSIC_BYTES } from '../tiff/limits.ts';
import { toGdalMetadata, toNodataText } from '../tiff/samples/gdal-metadata.ts';
import { sampleFormatOf } from '../tiff/samples/sample-format.ts';
import { FRAME_BYTES } from './encode-block.ts';
import type { CogLevel, CogPlan } from './plan-cog.ts';

/** The file up to its first block, and how long it will be. */
export interface CogLayout {
  readonly bigTiff: boolean;
  /** Header, ghost area, directories, tag values and block indexes. */
  readonly head: Uint8Array;
  readonly fileBytes: number;
}

/** Lays out the whole file once the stored size of every block is known. */
export function planCogLayout(plan: CogPlan, sizes: readonly Uint32Array[]): CogLayout {
  if (plan.bigTiff === 'yes') return layOut(plan, sizes, true);
  const classic = layOut(plan, sizes, false);
  if (classic.fileBytes <= MAX_CLASSIC_BYTES) return classic;
  if (plan.bigTiff === 'auto') return layOut(plan, sizes, true);
  throw tooLarge(
    'classic-tiff-too-large',
    `The file needs ${classic.fileBytes} bytes and a classic TIFF holds ${MAX_CLASSIC_BYTES}; allow BigTIFF.`,
  );
}

function layOut(plan: CogPlan, sizes: readonly Uint32Array[], bigTiff: boolean): CogLayout {
  const ghost = Buffer.from(toGhostArea(plan), 'latin1');
  const headerBytes = bigTiff ? 16 : 8;
  const firstAt = toEven(headerBytes + ghost.length);
  const { drafts, end } = placeDirectories(plan, sizes, bigTiff, firstAt);
  const fileBytes = placeBlocks(drafts, sizes, end);
  const head = new Uint8Array(end);
  if (!bigTiff && fileBytes > MAX_CLASSIC_BYTES) return { bigTiff, head, fileBytes };
  const view = new DataView(head.buffer);
  head.set(Buffer.from('II', 'latin1'));
  view.setUint16(2, bigTiff ? 43 : 42, true);
  if (bigTiff) {
    view.setUint16(4, 8, true);
    view.setBigUint64(8, BigInt(firstAt), true);
  } else view.setUint32(4, firstAt, true);
  head.set(ghost, headerBytes);
  drafts.forEach((draft, i) => {
    const placed: PlacedDirectory = { ...draft, next: drafts[i + 1]?.at ?? 0 };
    writeDirectory(view, placed, bigTiff);
  });
  return { bigTiff, head, fileBytes };
}

/**
 * GDAL's "ghost area" (its COG driver page, "Header ghost area"): text between the header and the first directory that
 * promises the layout below, so that readers can take short cuts. This file and `spool.ts` hold to each line.
 * INTERLEAVE is what GDAL 3.11 added for bands stored apart; earlier ones pass over it. The space after the last line
 * leaves room for a later editor to turn NO into YES.
 */
function toGhostArea({ interleave }: CogPlan): string {
  const text = [
    'LAYOUT=IFDS_BEFORE_DATA',
    'BLOCK_ORDER=ROW_MAJOR',
    'BLOCK_LEADER=SIZE_AS_UINT4',
    'BLOCK_TRAILER=LAST_4_BYTES_REPEATED',
    ...(interleave === 'band' ? ['INTERLEAVE=BAND'] : []),
    'KNOWN_INCOMPATIBLE_EDITION=NO',
    ' ',
  ].join('\n');
  return `GDAL_STRUCTURAL_METADATA_SIZE=${String(text.length).padStart(6, '0')} bytes\n${text}`;
}

const isIndexTag = (tag: number): boolean => tag === TAG.tileOffsets || tag === TAG.tileByteCounts;

/** Tag values and directories begin at even bytes (TIFF 6.0, section 2). */
const toEven = (position: number): number => position + (position % 2);

/** A directory before its block index is known. */
interface Draft {
  readonly at: number;
  readonly entries: readonly IfdEntry[];
  readonly offsets: Float64Array;
  readonly outside: Map<number, number>;
}

/** Positions of directories, values and indexes, one after the other; block offsets are still zero. */
function placeDirectories(plan: CogPlan, sizes: readonly Uint32Array[], bigTiff: boolean, start: number) {
  const drafts: Draft[] = [];
  let cursor = start;
  const place = ({ entries, outside }: Pick<Draft, 'entries' | 'outside'>, isIndex: boolean): void => {
    for (const entry of entries) {
      const bytes = outsideBytes(entry, bigTiff);
      if (bytes === 0 || isIndexTag(entry.tag) !== isIndex) continue;
      outside.set(entry.tag, cursor);
      cursor = toEven(cursor + bytes);
    }
  };
  plan.levels.forEach((level, i) => {
    const offsets = new Float64Array(sizes[i]!.length);
    const entries = [
      ...toCogTags(plan, level),
      { tag: TAG.tileOffsets, type: bigTiff ? FIELD.long8 : FIELD.long, values: offsets },
      { tag: TAG.tileByteCounts, type: FIELD.long, values: sizes[i]! },
    ].sort((a, b) => a.tag - b.tag);
    const draft = { at: cursor, entries, offsets, outside: new Map<number, number>() };
    cursor = toEven(cursor + directoryBytes(entries.length, bigTiff));
    place(draft, false);
    drafts.push(draft);
  });
  // the indexes of all levels come after all directories, so that one short read shows every level
  for (const draft of drafts) place(draft, true);
  return { drafts, end: cursor };
}

/** Smallest copy first, full resolution last; returns where the file ends. */
function placeBlocks(drafts: readonly Draft[], sizes: readonly Uint32Array[], start: number): number {
  let cursor = start;
  for (let level = drafts.length - 1; level >= 0; level--) {
    const { offsets } = drafts[level]!;
    sizes[level]!.forEach((size, block) => {
      // a block that was never written has neither bytes nor an offset
      if (size === 0) return;
      offsets[block] = cursor + FRAME_BYTES;
      cursor += size + 2 * FRAME_BYTES;
    });
  }
  return cursor;
}

const PHOTOMETRIC = { gray: 1, rgb: 2 } as const;
const PLANAR = { pixel: 1, band: 2 } as const;
/** Values of ExtraSamples: anything, or opacity that is not multiplied into the colours. */
const EXTRA = { unspecified: 0, alpha: 2 } as const;

const short = (tag: number, ...values: number[]): IfdEntry => ({ tag, type: FIELD.short, values });
const long = (tag: number, value: number): IfdEntry => ({ tag, type: FIELD.long, values: [value] });
const doubles = (tag: number, values: number[]): IfdEntry => ({ tag, type: FIELD.double, values });

function extraSampleEntries({ bandCount, photometric, alpha }: CogPlan): IfdEntry[] {
  const extra = bandCount - (photometric === 'rgb' ? 3 : 1);
  if (extra === 0) return [];
  const kinds = Array.from({ length: extra }, (_, i) =>
    alpha && i === extra - 1 ? EXTRA.alpha : EXTRA.unspecified,
  );
  return [short(TAG.extraSamples, ...kinds)];
}

function sinusoidalEntries(radiusM: number): IfdEntry[] {
  const keys = toSinusoidalKeys(radiusM);
  return [short(TAG.geoKeyDirectory, ...keys.directory), doubles(TAG.geoDoubles, keys.doubles)];
}

function geoKeyEntries({ directory, doubles: numbers, ascii }: GeoKeyTags): IfdEntry[] {
  return [
    short(TAG.geoKeyDirectory, ...directory),
    ...(numbers.length === 0 ? [] : [doubles(TAG.geoDoubles, [...numbers])]),
    ...(ascii === '' ? [] : [asciiEntry(TAG.geoAscii, ascii)]),
  ];
}

/** Tags that only the full resolution carries: where it lies and what its bands mean. */
function mainEntries(plan: CogPlan): IfdEntry[] {
  const metadata = toGdalMetadata(plan.bands, plan.metadata);
  return [
    ...(plan.transform === null ? [] : toModelEntries(plan.transform)),
    ...(plan.controlPoints.length === 0 ? [] : [doubles(TAG.modelTiepoint, toTiepoints(plan.controlPoints))]),
    ...(plan.epsg === null ? [] : [short(TAG.geoKeyDirectory, ...toGeoKeys(plan.epsg))]),
    ...(plan.sinusoidalRadiusM === null ? [] : sinusoidalEntries(plan.sinusoidalRadiusM)),
    ...(plan.geoKeys === null ? [] : geoKeyEntries(plan.geoKeys)),
    ...(metadata === null ? [] : [asciiEntry(TAG.gdalMetadata, metadata)]),
  ];
}

/** All tags of one level except the block index, in no order. */
function toCogTags(plan: CogPlan, level: CogLevel): IfdEntry[] {
  const isMain = level === plan.levels[0];
  const perBand = (tag: number, value: number) =>
    short(tag, ...Array.from({ length: plan.bandCount }, () => value));
  const { bits, format } = sampleFormatOf(plan.type);
  return [
    long(TAG.newSubfileType, isMain ? 0 : SUBFILE.reduced),
    long(TAG.imageWidth, level.width),
    long(TAG.imageLength, level.height),
    perBand(TAG.bitsPerSample, bits),
    short(TAG.compression, plan.compressionTag),
    short(TAG.photometric, PHOTOMETRIC[plan.photometric]),
    short(TAG.samplesPerPixel, plan.bandCount),
    short(TAG.planarConfiguration, PLANAR[plan.interleave]),
    ...(plan.predictor === 1 ? [] : [short(TAG.predictor, plan.predictor)]),
    short(TAG.tileWidth, level.blockSize ?? plan.blockSize),
    short(TAG.tileLength, level.blockSize ?? plan.blockSize),
    ...extraSampleEntries(plan),
    perBand(TAG.sampleFormat, format),
    ...(isMain ? mainEntries(plan) : []),
    ...(plan.nodata === null ? [] : [asciiEntry(TAG.gdalNodata, toNodataText(plan.nodata))]),
  ];
}
