/** A font inside a PDF: the glyphs that were used, their widths, and the characters they stand for, so that text can be copied. */
import type { PdfFile } from './pdf-file.ts';
import type { TrueTypeFont } from './true-type.ts';

/** A font that remembers what was written with it. */
export interface PdfFont {
  /** Whether it has every character. */
  has(text: string): boolean;
  /** The text as the numbers of its glyphs, in hexadecimal. */
  encode(text: string): string;
  /** Writes it into the file and answers the number of its object. */
  addTo(file: PdfFile): Promise<number>;
}

const toHex = (value: number): string => value.toString(16).padStart(4, '0');
const hexOf = (text: string): string =>
  Array.from({ length: text.length }, (_, i) => toHex(text.charCodeAt(i))).join('');

/** Which character each glyph stands for; a list holds at most a hundred. */
const toUnicodeMap = (used: ReadonlyMap<number, string>): string => {
  const rows = [...used].map(([glyph, character]) => `<${toHex(glyph)}> <${hexOf(character)}>`);
  const lists = Array.from({ length: Math.ceil(rows.length / 100) }, (_, i) =>
    rows.slice(i * 100, i * 100 + 100),
  );
  return [
    '/CIDInit /ProcSet findresource begin 12 dict begin begincmap',
    '/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def',
    '/CMapName /Adobe-Identity-UCS def /CMapType 2 def',
    '1 begincodespacerange <0000> <FFFF> endcodespacerange',
    ...lists.map((list) => `${list.length} beginbfchar\n${list.join('\n')}\nendbfchar`),
    'endcmap CMapName currentdict /CMap defineresource pop end end',
  ].join('\n');
};

/** Makes one of a font; `name` is that of the font, in letters and hyphens. */
export const makePdfFont = (font: TrueTypeFont, name: string): PdfFont => {
  const used = new Map<number, string>();
  /** A PDF counts in thousandths of the size. */
  const scale = (units: number): number => Math.round((units * 1000) / font.unitsPerEm);
  const glyphOf = (character: string): number => font.glyphOf(character.codePointAt(0) ?? 0);
  return {
    has: (text) => [...text].every((character) => glyphOf(character) !== 0),
    encode: (text) =>
      [...text]
        .map((character) => {
          const glyph = glyphOf(character);
          // The first character that has a glyph is the one that is copied.
          if (!used.has(glyph)) used.set(glyph, character);
          return toHex(glyph);
        })
        .join(''),
    async addTo(file) {
      // Six letters before the name say that it is a part of the font.
      const base = `/SWATHR+${name}`;
      const program = await file.addStream(font.subset(used.keys()));
      const unicode = await file.addStream(toUnicodeMap(used));
      const [left, bottom, right, top] = font.box.map(scale);
      const descriptor = file.add(
        `<< /Type /FontDescriptor /FontName ${base} /Flags 32 /FontBBox [${left} ${bottom} ${right} ${top}] /ItalicAngle 0 /Ascent ${scale(font.ascent)} /Descent ${scale(font.descent)} /CapHeight ${scale(font.ascent)} /StemV 80 /FontFile2 ${program} 0 R >>`,
      );
      const widths = [...used.keys()].map((glyph) => `${glyph} [${scale(font.advanceOf(glyph))}]`).join(' ');
      const glyphs = file.add(
        `<< /Type /Font /Subtype /CIDFontType2 /BaseFont ${base} /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor ${descriptor} 0 R /CIDToGIDMap /Identity /W [${widths}] >>`,
      );
      return file.add(
        `<< /Type /Font /Subtype /Type0 /BaseFont ${base} /Encoding /Identity-H /DescendantFonts [${glyphs} 0 R] /ToUnicode ${unicode} 0 R >>`,
      );
    },
  };
};
