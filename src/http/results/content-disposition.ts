import { extname } from 'node:path';

/** Longer names are cut: file systems take 255 bytes, and a character may have four in UTF-8. */
const MAX_CHARACTERS = 120;

/**
 * The header that makes a browser store an answer under a name (RFC 6266): a plain form for old clients, and the name
 * itself in UTF-8 (RFC 8187). Control characters and what separates folders are replaced, so that no name can end the
 * header or lead elsewhere.
 */
export function toContentDisposition(fileName: string): string {
  const name = cut(toSafeName(fileName));
  const plain = name.replace(/[^A-Za-z0-9 ._()+,=@-]/gu, '_');
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeExtended(name)}`;
}

function toSafeName(text: string): string {
  const name = text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}/\\:*?"<>|]/gu, '_')
    .trim();
  return /^\.*$/.test(name) ? 'result' : name;
}

/** In whole characters, with the extension. */
function cut(name: string): string {
  const characters = [...name];
  if (characters.length <= MAX_CHARACTERS) return name;
  const extension = [...extname(name)].slice(0, 16);
  return [...characters.slice(0, MAX_CHARACTERS - extension.length), ...extension].join('');
}

/** RFC 8187 allows fewer characters than a URI does. */
const encodeExtended = (name: string): string =>
  encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
