/** Characters of a whole file name, with its extension. */
const MAX_CHARACTERS = 120;

/** A text as a part of a file name that every system takes: ASCII letters and digits, dots, hyphens and underscores. */
export function toPlainName(text: string): string {
  return text
    .normalize('NFKD')
    .trim()
    .replaceAll(/\s+/gu, '_')
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replaceAll(/\.{2,}/g, '.')
    .replaceAll(/^[.-]+|[.-]+$/g, '');
}

const toScene = (viewId: string): string => toPlainName(viewId.replaceAll('/', '-'));

/** A name with its extension, cut to a length that every system takes; `number` tells equal names apart. */
function toName(stem: string, extension: string, number = 1): string {
  const end = `${number === 1 ? '' : `_${number}`}.${extension}`;
  return `${stem.slice(0, MAX_CHARACTERS - end.length).replaceAll(/[._-]+$/g, '')}${end}`;
}

/** `<scene>_<what>.<extension>`. */
export const toBandsName = (viewId: string, what: string, extension: string): string =>
  toName(`${toScene(viewId)}_${toPlainName(what)}`, extension);

/** Builds names for the files of one archive, which differ on systems that ignore case too. */
export function makeEntryNames(): (stem: string, extension: string) => string {
  const taken = new Set<string>();
  return (stem, extension) => {
    for (let number = 1; ; number++) {
      const name = toName(stem, extension, number);
      if (taken.has(name.toLowerCase())) continue;
      taken.add(name.toLowerCase());
      return name;
    }
  };
}

/** The last part of an address, after its last dot. */
const extensionOf = (url: string): string => /\.([A-Za-z0-9]{1,10})$/.exec(url)?.[1] ?? 'txt';

/** A label as the stem and the extension of a name: the extension is that of the file, whatever the label says. */
export function toMetadataName(
  label: string,
  url: string,
): { readonly stem: string; readonly extension: string } {
  const extension = extensionOf(url);
  const plain = toPlainName(label);
  const hasIt = plain.toLowerCase().endsWith(`.${extension.toLowerCase()}`);
  const stem = hasIt ? plain.slice(0, -extension.length - 1) : plain;
  return { stem: stem === '' ? 'metadata' : stem, extension };
}
