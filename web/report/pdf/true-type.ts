/** A TrueType font as far as a PDF needs it: the glyph of a character, its width, and a smaller font with a few glyphs. */

/** A font that was read; all lengths are in units of the font. */
export interface TrueTypeFont {
  readonly unitsPerEm: number;
  readonly ascent: number;
  readonly descent: number;
  /** Of all glyphs: left, bottom, right, top. */
  readonly box: readonly [number, number, number, number];
  /** The glyph of a character; 0 where the font has none. */
  glyphOf(codePoint: number): number;
  advanceOf(glyph: number): number;
  /** The same font with the outlines of these glyphs only; their numbers stay. */
  subset(glyphs: Iterable<number>): Uint8Array<ArrayBuffer>;
}

interface Table {
  readonly offset: number;
  readonly length: number;
}

/** What a PDF reader uses of a font that is embedded with glyph numbers; `cvt`, `fpgm` and `prep` are hints. */
const KEPT = ['cvt ', 'fpgm', 'glyf', 'head', 'hhea', 'hmtx', 'loca', 'maxp', 'prep'];
/** Parts of a composite glyph: flags that say what follows. */
const [ARE_WORDS, HAS_SCALE, HAS_MORE, HAS_TWO_SCALES, HAS_MATRIX] = [0x1, 0x8, 0x20, 0x40, 0x80];

const readTables = (view: DataView): ReadonlyMap<string, Table> =>
  new Map(
    Array.from({ length: view.getUint16(4) }, (_, i) => {
      const at = 12 + 16 * i;
      const tag = String.fromCharCode(...Array.from({ length: 4 }, (__, k) => view.getUint8(at + k)));
      return [tag, { offset: view.getUint32(at + 8), length: view.getUint32(at + 12) }] as const;
    }),
  );

/** Segments of characters (format 4), the form that every font with a Unicode table has. */
const readCharacters = (view: DataView, { offset }: Table): ReadonlyMap<number, number> => {
  const subtables = Array.from({ length: view.getUint16(offset + 2) }, (_, i) => offset + 4 + 8 * i).map(
    (at) => ({ platform: view.getUint16(at), at: offset + view.getUint32(at + 4) }),
  );
  const found = subtables.find(({ platform, at }) => platform !== 1 && view.getUint16(at) === 4);
  if (found === undefined) throw new Error('The font has no Unicode table that can be read.');
  const { at } = found;
  const twice = view.getUint16(at + 6);
  const glyphs = new Map<number, number>();
  for (let i = 0; i < twice; i += 2) {
    const [last, first] = [view.getUint16(at + 14 + i), view.getUint16(at + 16 + twice + i)];
    const delta = view.getUint16(at + 16 + 2 * twice + i);
    const rangeAt = at + 16 + 3 * twice + i;
    const range = view.getUint16(rangeAt);
    for (let code = first; code <= last && code < 0xffff; code++) {
      const listed = range === 0 ? code : view.getUint16(rangeAt + range + 2 * (code - first));
      const glyph = listed === 0 ? 0 : (listed + delta) & 0xffff;
      if (glyph !== 0) glyphs.set(code, glyph);
    }
  }
  return glyphs;
};

/** The glyphs that a composite glyph is made of. */
const partsOf = (view: DataView, at: number): readonly number[] => {
  if (view.getInt16(at) >= 0) return [];
  const parts: number[] = [];
  for (let next = at + 10, flags = HAS_MORE; (flags & HAS_MORE) !== 0; ) {
    flags = view.getUint16(next);
    parts.push(view.getUint16(next + 2));
    next += 4 + ((flags & ARE_WORDS) !== 0 ? 4 : 2);
    if ((flags & HAS_SCALE) !== 0) next += 2;
    else if ((flags & HAS_TWO_SCALES) !== 0) next += 4;
    else if ((flags & HAS_MATRIX) !== 0) next += 8;
  }
  return parts;
};

const sumOf = (bytes: Uint8Array): number => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let sum = 0;
  for (let at = 0; at < bytes.length; at++) sum = (sum + view.getUint8(at) * 2 ** (24 - 8 * (at & 3))) >>> 0;
  return sum;
};

/** A font file of tables, each on a multiple of four bytes. */
const joinTables = (tables: readonly (readonly [string, Uint8Array])[]): Uint8Array<ArrayBuffer> => {
  const padded = (length: number): number => (length + 3) & ~3;
  const head = 12 + 16 * tables.length;
  const file = new Uint8Array(tables.reduce((sum, [, bytes]) => sum + padded(bytes.length), head));
  const view = new DataView(file.buffer);
  const power = Math.floor(Math.log2(tables.length));
  view.setUint32(0, 0x10000);
  for (const [i, value] of [
    tables.length,
    16 * 2 ** power,
    power,
    16 * (tables.length - 2 ** power),
  ].entries())
    view.setUint16(4 + 2 * i, value);
  let offset = head;
  for (const [i, [tag, bytes]] of tables.entries()) {
    const at = 12 + 16 * i;
    for (let k = 0; k < 4; k++) view.setUint8(at + k, tag.charCodeAt(k));
    view.setUint32(at + 4, sumOf(bytes));
    view.setUint32(at + 8, offset);
    view.setUint32(at + 12, bytes.length);
    file.set(bytes, offset);
    offset += padded(bytes.length);
  }
  return file;
};

/** Reads a font with outlines in `glyf`. */
export const readTrueType = (file: Uint8Array<ArrayBuffer>): TrueTypeFont => {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const tables = readTables(view);
  const tableOf = (tag: string): Table => {
    const table = tables.get(tag);
    if (table === undefined) throw new Error(`The font has no table ${tag}.`);
    return table;
  };
  const [head, hhea, hmtx, loca, glyf] = ['head', 'hhea', 'hmtx', 'loca', 'glyf'].map(tableOf) as [
    Table,
    Table,
    Table,
    Table,
    Table,
  ];
  const characters = readCharacters(view, tableOf('cmap'));
  const count = view.getUint16(tableOf('maxp').offset + 4);
  const widths = view.getUint16(hhea.offset + 34);
  const isLong = view.getInt16(head.offset + 50) === 1;
  const startOf = (glyph: number): number =>
    isLong ? view.getUint32(loca.offset + 4 * glyph) : 2 * view.getUint16(loca.offset + 2 * glyph);
  const bytesOf = ({ offset, length }: Table): Uint8Array => file.subarray(offset, offset + length);
  /** With the parts of composite glyphs, and glyph 0, which stands for what is missing. */
  const withParts = (glyphs: Iterable<number>): ReadonlySet<number> => {
    const all = new Set([0, ...glyphs]);
    for (const glyph of all) {
      if (startOf(glyph + 1) === startOf(glyph)) continue;
      for (const part of partsOf(view, glyf.offset + startOf(glyph))) all.add(part);
    }
    return all;
  };

  return {
    unitsPerEm: view.getUint16(head.offset + 18),
    ascent: view.getInt16(hhea.offset + 4),
    descent: view.getInt16(hhea.offset + 6),
    box: [36, 38, 40, 42].map((at) => view.getInt16(head.offset + at)) as unknown as TrueTypeFont['box'],
    glyphOf: (codePoint) => characters.get(codePoint) ?? 0,
    advanceOf: (glyph) => view.getUint16(hmtx.offset + 4 * Math.min(glyph, widths - 1)),
    subset(glyphs) {
      const kept = withParts(glyphs);
      const starts = new DataView(new ArrayBuffer(4 * (count + 1)));
      const outlines: Uint8Array[] = [];
      let length = 0;
      for (let glyph = 0; glyph < count; glyph++) {
        starts.setUint32(4 * glyph, length);
        if (!kept.has(glyph)) continue;
        const outline = file.subarray(glyf.offset + startOf(glyph), glyf.offset + startOf(glyph + 1));
        outlines.push(outline);
        length += outline.length;
      }
      starts.setUint32(4 * count, length);
      const joined = new Uint8Array(length);
      let at = 0;
      for (const outline of outlines) {
        joined.set(outline, at);
        at += outline.length;
      }
      const newHead = bytesOf(head).slice();
      // Positions of outlines have four bytes each now.
      new DataView(newHead.buffer).setInt16(50, 1);
      const changed: Readonly<Record<string, Uint8Array>> = {
        head: newHead,
        loca: new Uint8Array(starts.buffer),
        glyf: joined,
      };
      return joinTables(
        KEPT.filter((tag) => tables.has(tag)).map((tag) => [tag, changed[tag] ?? bytesOf(tableOf(tag))]),
      );
    },
  };
};
