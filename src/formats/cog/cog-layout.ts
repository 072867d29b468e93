import { tooLarge } from '../../errors.ts';
import type { IfdEntry, PlacedDirectory } from '../tiff/directories/ifd-writer.ts';
import { directoryBytes, outsideBytes, writeDirectory } from '../tiff/directories/ifd-writer.ts';
import { FIELD, TAG } from '../tiff/directories/tags.ts';
import { MAX_CLASSIC_BYTES } from '../tiff/limits.ts';
import type { CogPlan } from './cog-options.ts';
import { toCogTags } from './cog-tags.ts';
import { FRAME_BYTES } from './encoded-blocks.ts';

/** The file up to its first block, and how long it will be. */
export interface CogLayout {
  readonly bigTiff: boolean;
  /** Header, ghost area, directories, tag values and block indexes. */
  readonly head: Uint8Array;
  readonly fileBytes: number;
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
