/** What a PDF says, as a reader copies it: the glyphs of its texts, translated by the tables of its fonts. */
import { inflateSync } from 'node:zlib';

/** A PDF as far as tests look into it. */
export interface ReadPdf {
  /** The texts, in the order in which they were drawn. */
  readonly texts: readonly string[];
  /** Width and height of its pictures. */
  readonly pictures: readonly (readonly [number, number])[];
}

/** Reads a file of one page whose streams are compressed. */
export const readPdf = (file: Buffer): ReadPdf => {
  const raw = file.toString('latin1');
  const objects = new Map(
    [...raw.matchAll(/(?:^|\n)(\d+) 0 obj\n([\s\S]*?)\nendobj/g)].map(
      ([, number, body = '']) => [Number(number), body] as const,
    ),
  );
  const refer = (body: string, name: string): number =>
    Number(new RegExp(`/${name} \\[?(\\d+) 0 R`).exec(body)?.[1]);
  const inflate = (number: number): string => {
    const body = objects.get(number) ?? '';
    const start = body.indexOf('stream\n') + 'stream\n'.length;
    return inflateSync(Buffer.from(body.slice(start, body.lastIndexOf('\nendstream')), 'latin1')).toString(
      'latin1',
    );
  };
  const bodies = [...objects.values()];
  const page = bodies.find((body) => body.includes('/Type /Page ')) ?? '';
  const fonts = new Map(
    [...page.matchAll(/\/(F\d) (\d+) 0 R/g)].map(([, name = '', number]) => {
      const map = inflate(refer(objects.get(Number(number)) ?? '', 'ToUnicode'));
      const letters = new Map(
        [...map.matchAll(/<(\w{4})> <(\w+)>/g)].map(([, glyph = '', code = '']) => [
          glyph,
          Buffer.from(code, 'hex').swap16().toString('utf16le'),
        ]),
      );
      return [name, letters] as const;
    }),
  );
  const content = inflate(refer(page, 'Contents'));
  return {
    texts: [...content.matchAll(/\/(F\d) [^<]*<(\w+)> Tj/g)].map(([, font = '', glyphs = '']) =>
      (glyphs.match(/.{4}/g) ?? []).map((glyph) => fonts.get(font)?.get(glyph) ?? '?').join(''),
    ),
    pictures: bodies.flatMap((body) => {
      const found = /\/Subtype \/Image \/Width (\d+) \/Height (\d+)/.exec(body.slice(0, 300));
      return found === null ? [] : [[Number(found[1]), Number(found[2])] as const];
    }),
  };
};
