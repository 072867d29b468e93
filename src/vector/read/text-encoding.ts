import { isUtf8 } from 'node:buffer';

/** From bytes to text. */
export type Decode = (bytes: Uint8Array) => string;

const windows = new TextDecoder('windows-1252');

/** Text is UTF-8; what is not is taken for the code page of older programs in western Europe and America. */
export const decodeText: Decode = (bytes) =>
  isUtf8(bytes)
    ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString()
    : windows.decode(bytes);

/** Code pages of dBASE by the number in its header, as far as browsers know them too. */
const LANGUAGES: Readonly<Record<number, string>> = {
  3: 'windows-1252',
  38: 'ibm866',
  77: 'gbk',
  78: 'euc-kr',
  79: 'big5',
  87: 'windows-1252',
  101: 'ibm866',
  123: 'shift_jis',
  200: 'windows-1250',
  201: 'windows-1251',
  202: 'windows-1254',
  203: 'windows-1253',
};

/** How the text of a table is decoded: by the name in its .cpg file, else by the number in its header. */
export function decodeOf(codePage: string | null, language: number): Decode {
  const stated = makeDecode(toLabel(codePage ?? ''));
  if (stated !== null) return stated;
  const other = makeDecode(LANGUAGES[language] ?? '') ?? decodeText;
  // Programs that write UTF-8 often leave the number of another code page in the header.
  return (bytes) => (isUtf8(bytes) ? decodeText(bytes) : other(bytes));
}

/** `UTF-8`, `65001`, `1252`, `ANSI 1252`, `CP1252`, `ISO 88591` and `8859-1` as labels of the encoding standard. */
function toLabel(codePage: string): string {
  const name = codePage.trim().toLowerCase();
  if (name === '65001' || name === 'utf8') return 'utf-8';
  const [, part] = /8859-?(\d{1,2})$/.exec(name) ?? [];
  if (part !== undefined) return `iso-8859-${part}`;
  const [, number] = /^(?:ansi|oem|cp|windows)?[\s-]*(\d{3,4})$/.exec(name) ?? [];
  if (number === undefined) return name;
  const others: Readonly<Record<string, string>> = {
    866: 'ibm866',
    936: 'gbk',
    932: 'shift_jis',
    949: 'euc-kr',
    950: 'big5',
  };
  return others[number] ?? `windows-${number}`;
}

function makeDecode(label: string): Decode | null {
  if (label === '') return null;
  try {
    const decoder = new TextDecoder(label);
    return (bytes) => decoder.decode(bytes);
  } catch {
    return null;
  }
}
