/**
 * Lengths of the packets of a tile-part, from the contents of its PLT segments (ISO/IEC 15444-1, A.7.3). Null when
 * there are none, and when they make no sense: they are a help that a reader can do without.
 */
export function parsePacketLengths(tables: readonly Uint8Array[]): readonly number[] | null {
  if (tables.length === 0) return null;
  const lengths: number[] = [];
  for (const table of tables.toSorted((a, b) => (a[0] ?? 0) - (b[0] ?? 0))) {
    let length = 0;
    let isOpen = false;
    for (const byte of table.subarray(1)) {
      length = length * 128 + (byte & 0x7f);
      // A packet has at least one byte, and a tile-part fewer than 2³².
      if (length >= 2 ** 32) return null;
      isOpen = (byte & 0x80) !== 0;
      if (isOpen) continue;
      if (length === 0) return null;
      lengths.push(length);
      length = 0;
    }
    if (isOpen) return null;
  }
  return lengths;
}
