/** Characters of a whole file name, with its extension. */
const MAX_CHARACTERS = 120;

/** The name of a file in an archive, before it is cut to length and numbered. */
export interface EntryName {
  readonly stem: string;
  /** Without the dot. */
  readonly extension: string;
}

/** A text of a caller as a name that every system unpacks: ASCII letters and digits, dots, hyphens and underscores. */
function toPlainName(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .trim()
    .replaceAll(/\s+/gu, '_')
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replaceAll(/\.{2,}/g, '.')
    .replaceAll(/^[._-]+|[._-]+$/g, '');
}

/** Builds the names of one archive, which differ on systems that ignore case too. */
export function makeEntryNames(): (name: EntryName) => string {
  const taken = new Set<string>();
  return ({ stem, extension }) => {
    for (let number = 1; ; number++) {
      const end = `${number === 1 ? '' : `_${number}`}.${extension}`;
      const name = `${stem.slice(0, MAX_CHARACTERS - end.length).replaceAll(/[._-]+$/g, '')}${end}`;
      if (taken.has(name.toLowerCase())) continue;
      taken.add(name.toLowerCase());
      return name;
    }
  };
}

/** The last part of an address, after its last dot. */
const extensionOf = (url: string): string => /\.([A-Za-z0-9]{1,10})$/.exec(url)?.[1] ?? 'txt';

/** A label as a name: with the extension of the file, whatever the label says. */
export function toMetadataName(label: string, url: string): EntryName {
  const extension = extensionOf(url);
  const plain = toPlainName(label);
  const hasIt = plain.toLowerCase().endsWith(`.${extension.toLowerCase()}`);
  const stem = hasIt ? plain.slice(0, -extension.length - 1) : plain;
  return { stem: stem === '' ? 'metadata' : stem, extension };
}
