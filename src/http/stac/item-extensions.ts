/** The extensions that an item names: one that is named but not used makes it invalid. */
import { WEB_MAP_LINKS } from './addresses.ts';

/** Extensions by the prefix of properties that are read of search and not of the record; each has a bit. */
const OF_PROPERTIES: readonly (readonly [prefix: string, address: string])[] = [
  ['eo:', 'https://stac-extensions.github.io/eo/v2.0.0/schema.json'],
  ['view:', 'https://stac-extensions.github.io/view/v1.0.0/schema.json'],
  ['sat:', 'https://stac-extensions.github.io/sat/v1.0.0/schema.json'],
  ['sar:', 'https://stac-extensions.github.io/sar/v1.0.0/schema.json'],
];

/** Bits of extensions that are not found by the prefix of a property. */
export const EXTENSION_BITS = { maps: 1 << OF_PROPERTIES.length } as const;

/** The bit of the extension that a property belongs to; 0 for those of the core. */
export function toExtensionBit(property: string): number {
  const i = OF_PROPERTIES.findIndex(([prefix]) => property.startsWith(prefix));
  return i < 0 ? 0 : 1 << i;
}

/** Texts by the list of the files, which is one object for all scenes that have the same, and by bits. */
const known = new WeakMap<readonly string[], Map<number, string>>();

/** Writes the list of what files, properties and links use. */
export function writeExtensions(ofFiles: readonly string[], used: number): string {
  const texts = known.get(ofFiles) ?? new Map<number, string>();
  known.set(ofFiles, texts);
  const text = texts.get(used) ?? JSON.stringify(listExtensions(ofFiles, used));
  texts.set(used, text);
  return text;
}

function listExtensions(ofFiles: readonly string[], used: number): readonly string[] {
  // The record has clouds and a sun that search may lack, and the other way round.
  const kept = ofFiles.filter((address) => !OF_PROPERTIES.some(([, own]) => own === address));
  const added = OF_PROPERTIES.flatMap(([prefix, address], i) =>
    (used & (1 << i)) !== 0 || (prefix === 'eo:' && ofFiles.includes(address)) ? [address] : [],
  );
  return [...kept, ...added, ...((used & EXTENSION_BITS.maps) === 0 ? [] : [WEB_MAP_LINKS])];
}
