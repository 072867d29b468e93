/** A tag by number: field type, count, and the value or its offset. */
export type TinyTags = Readonly<Record<number, readonly [type: number, count: number, value: number] | null>>;

const SHORT = 3;
const LONG = 4;

/** A complete 2 × 2 uint8 image in one strip; its four pixels stand after the header. */
const wholesome: TinyTags = {
  256: [LONG, 1, 2],
  257: [LONG, 1, 2],
  258: [SHORT, 1, 8],
  259: [SHORT, 1, 1],
  262: [SHORT, 1, 1],
  273: [LONG, 1, 8],
  277: [SHORT, 1, 1],
  278: [LONG, 1, 2],
  279: [LONG, 1, 4],
};

/** Bytes of one directory at its offset. */
function toDirectory(tags: TinyTags, next: number): Buffer {
  const entries = Object.entries({ ...wholesome, ...tags }).flatMap(([tag, entry]) =>
    entry === null ? [] : [{ tag: Number(tag), entry }],
  );
  const out = Buffer.alloc(2 + entries.length * 12 + 4);
  out.writeUInt16LE(entries.length);
  entries.forEach(({ tag, entry: [type, count, value] }, i) => {
    const at = 2 + i * 12;
    out.writeUInt16LE(tag, at);
    out.writeUInt16LE(type, at + 2);
    out.writeUInt32LE(count, at + 4);
    if (type === SHORT && count === 1) out.writeUInt16LE(value, at + 8);
    else out.writeUInt32LE(value, at + 8);
  });
  out.writeUInt32LE(next, out.length - 4);
  return out;
}

/**
 * A classic little-endian TIFF made by hand: one directory for each entry of `pages`, each a wholesome image with some
 * tags changed (null removes one). `nextOf` bends the chain: it gets the offsets of all directories.
 */
export function makeTinyTiff(
  pages: readonly TinyTags[],
  nextOf: (page: number, offsets: readonly number[]) => number = (page, offsets) => offsets[page + 1] ?? 0,
): Uint8Array {
  const offsets: number[] = [];
  let end = 12;
  for (const tags of pages) {
    offsets.push(end);
    end += toDirectory(tags, 0).length;
  }
  const header = Buffer.from([0x49, 0x49, 42, 0, offsets[0] ?? 0, 0, 0, 0, 11, 22, 33, 44]);
  return Buffer.concat([header, ...pages.map((tags, page) => toDirectory(tags, nextOf(page, offsets)))]);
}
