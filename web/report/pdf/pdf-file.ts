/** A PDF file as a list of objects: numbers them, compresses streams, and writes the table of their positions. */

const encoder = new TextEncoder();

/** Bytes as zlib writes them, which PDF calls `FlateDecode`. */
const deflate = async (bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(
    await new Response(
      new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate')),
    ).arrayBuffer(),
  );

/** A text for people, as UTF-16 in hexadecimal: no character of it can end the string. */
export const toPdfText = (text: string): string =>
  `<FEFF${Array.from({ length: text.length }, (_, i) => text.charCodeAt(i).toString(16).padStart(4, '0')).join('')}>`;

/** A number with as many digits as a page needs. */
export const toPdfNumber = (value: number): string => String(Math.round(value * 1000) / 1000);

interface StreamOptions {
  /** Entries of its dictionary. */
  readonly entries?: string;
  /** False for bytes that are compressed already. */
  readonly isPlain?: boolean;
}

/** A file that grows. */
export interface PdfFile {
  /** Reserves the number of an object that others refer to before it is written. */
  reserve(): number;
  /** Writes an object and answers its number. */
  add(body: string, number?: number): number;
  addStream(content: Uint8Array<ArrayBuffer> | string, options?: StreamOptions): Promise<number>;
  /** The whole file, which begins with the catalog of this number. */
  finish(catalog: number, info: number): Blob;
}

/** Begins a file. */
export const makePdfFile = (): PdfFile => {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const offsets: number[] = [];
  let length = 0;
  const write = (content: Uint8Array<ArrayBuffer> | string): void => {
    const bytes = typeof content === 'string' ? encoder.encode(content) : content;
    parts.push(bytes);
    length += bytes.length;
  };
  const reserve = (): number => offsets.push(-1);
  const begin = (number: number): void => {
    offsets[number - 1] = length;
    write(`${number} 0 obj\n`);
  };
  // The second line says that the file has bytes which are not text.
  write('%PDF-1.7\n%âãÏÓ\n');
  return {
    reserve,
    add(body, number = reserve()) {
      begin(number);
      write(`${body}\nendobj\n`);
      return number;
    },
    async addStream(content, { entries = '', isPlain = true } = {}) {
      const raw = typeof content === 'string' ? encoder.encode(content) : content;
      const bytes = isPlain ? await deflate(raw) : raw;
      const filter = isPlain ? '/Filter /FlateDecode ' : '';
      const number = reserve();
      begin(number);
      write(`<< ${filter}/Length ${bytes.length} ${entries} >>\nstream\n`);
      write(bytes);
      write('\nendstream\nendobj\n');
      return number;
    },
    finish(catalog, info) {
      const start = length;
      const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`);
      write(`xref\n0 ${offsets.length + 1}\n0000000000 65535 f \n${rows.join('')}`);
      write(`trailer\n<< /Size ${offsets.length + 1} /Root ${catalog} 0 R /Info ${info} 0 R >>\n`);
      write(`startxref\n${start}\n%%EOF\n`);
      return new Blob(parts, { type: 'application/pdf' });
    },
  };
};
