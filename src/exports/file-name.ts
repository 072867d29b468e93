/** Characters of a whole file name, with its extension. */
const MAX_CHARS = 120;
/** Bytes of a name on common file systems, less some for what a browser adds to a second download. */
const MAX_BYTES = 240;

/**
 * A text as a part of a file name: letters, digits and what every file system and shell archive accepts. Spaces become
 * underscores and all other characters hyphens; it never begins or ends with a dot.
 */
export function toSafeName(text: string): string {
  return text
    .normalize('NFC')
    .trim()
    .replaceAll(/\s+/gu, '_')
    .replaceAll(/[^\p{L}\p{M}\p{N}._()+,=-]/gu, '-')
    .replaceAll(/\.{2,}/g, '.')
    .replaceAll(/^\.+|\.+$/g, '');
}

/** What a file is named by. */
interface NamedFile {
  readonly viewId: string;
  /** The caller's own name for what is in it; null or empty for none. */
  readonly nameAlias: string | null;
  /** Bands or expressions: the name when there is no alias. */
  readonly combination: string;
  /** Without the dot. */
  readonly extension: string;
}

/** `<scene>_<combination>.<extension>`, cut to a length that file systems take. */
export function toFileName({ viewId, nameAlias, combination, extension }: NamedFile): string {
  const scene = toSafeName(viewId.replaceAll('/', '-'));
  const alias = toSafeName(nameAlias ?? '');
  const end = `.${toSafeName(extension)}`;
  const name = `${scene}_${alias === '' ? toSafeName(combination) : alias}`;
  return `${cutName(name, MAX_CHARS - end.length, MAX_BYTES - Buffer.byteLength(end))}${end}`;
}

/** The beginning of a name, without half characters. */
function cutName(name: string, maxChars: number, maxBytes: number): string {
  let [chars, bytes, taken] = [0, 0, ''];
  for (const character of name) {
    chars += character.length;
    bytes += Buffer.byteLength(character);
    if (chars > maxChars || bytes > maxBytes) break;
    taken += character;
  }
  return taken.replaceAll(/\.+$/g, '');
}
