import { MAX_PART_CHAINS, NEXT_READ_BYTES } from '../limits.ts';
import type { ByteWindow } from './byte-window.ts';
import type { PartHead } from './part-head.ts';
import { parsePartHead, SOT_BYTES } from './part-head.ts';

/** The part of a codestream that holds its tile-parts. */
interface PartsRange {
  readonly start: number;
  readonly end: number;
  readonly tiles: number;
}

/** Heads of tile-parts by their offsets in the file. */
type HeadsAhead = ReadonlyMap<number, PartHead>;

/**
 * Reads heads of tile-parts from several positions of a remote file at once: from part to part alone, each costs a
 * round trip. They are guesses, as some may be no heads at all: only the walk from the first part tells which count.
 */
export async function readHeadsAhead(
  window: ByteWindow,
  { start, end, tiles }: PartsRange,
): Promise<HeadsAhead> {
  const heads = new Map<number, PartHead>();
  const partBytes = Math.ceil((end - start) / tiles);
  // Shorter parts are read over. A search for a part reads the length of one: half of what walking may cost.
  const chains = Math.min(MAX_PART_CHAINS, Math.floor((tiles * NEXT_READ_BYTES) / 2 / partBytes));
  if (!window.isRemote || partBytes <= NEXT_READ_BYTES || chains < 2) return heads;
  const step = (end - start) / chains;
  const maxHeads = Math.ceil((2 * tiles) / chains);

  const follow = async (from: number, stop: number): Promise<void> => {
    // The first part begins at the first position; elsewhere one is searched for.
    const searched = await window.peek(from, from === start ? SOT_BYTES : Math.min(partBytes, end - from));
    const first = findHead(searched);
    if (first === null) return;
    let at = from + first;
    let bytes = searched.subarray(first);
    for (let count = 0; count < maxHeads && at < stop && at + SOT_BYTES <= end; count++) {
      if (bytes.length < SOT_BYTES) bytes = await window.peek(at, SOT_BYTES);
      const head = parsePartHead(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
      if (head === null || head.length < SOT_BYTES) return;
      heads.set(at, head);
      at += head.length;
      bytes = bytes.subarray(head.length);
    }
  };
  const positions = Array.from({ length: chains }, (_, i) => Math.floor(start + i * step));
  await Promise.all(positions.map((from, i) => follow(from, positions[i + 1] ?? end)));
  return heads;
}

/** Where a head begins; no packet holds the two bytes of its marker (ISO/IEC 15444-1, B.10.1 and D.4). */
function findHead(bytes: Uint8Array): number | null {
  const at = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf(SOT_START);
  return at < 0 || at + SOT_BYTES > bytes.length ? null : at;
}

/** SOT and the length of its segment. */
const SOT_START = Uint8Array.of(0xff, 0x90, 0, 10);
