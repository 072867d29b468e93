import type { FilePart } from './byte-source.ts';

/** Parts of a file that are in memory, in the order of the file; none touches or overlaps another. */
export interface KnownBytes {
  readonly parts: readonly FilePart[];
  readonly byteLength: number;
  /** A view of these bytes; null unless all of them are known. */
  find(offset: number, length: number): Uint8Array | null;
}

/** Joins parts of one state of a file; those that overlap hold the same bytes. */
export function makeKnownBytes(given: readonly FilePart[]): KnownBytes {
  const parts = joinParts(given);
  return {
    parts,
    byteLength: parts.reduce((sum, { bytes }) => sum + bytes.length, 0),
    find(offset, length) {
      // The last part that begins at or before the offset: no other can hold it.
      const part = parts.findLast((one) => one.offset <= offset);
      if (part === undefined || offset + length > part.offset + part.bytes.length) return null;
      return part.bytes.subarray(offset - part.offset, offset - part.offset + length);
    },
  };
}

function joinParts(given: readonly FilePart[]): readonly FilePart[] {
  const groups: FilePart[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const part of given.toSorted((a, b) => a.offset - b.offset)) {
    if (part.bytes.length === 0) continue;
    if (part.offset <= end) groups.at(-1)?.push(part);
    else groups.push([part]);
    end = Math.max(end, part.offset + part.bytes.length);
  }
  return groups.map(joinGroup);
}

function joinGroup(group: readonly FilePart[]): FilePart {
  const [first] = group;
  if (first === undefined || group.length === 1) return first as FilePart;
  const end = Math.max(...group.map(({ offset, bytes }) => offset + bytes.length));
  const bytes = new Uint8Array(end - first.offset);
  for (const part of group) bytes.set(part.bytes, part.offset - first.offset);
  return { offset: first.offset, bytes };
}
