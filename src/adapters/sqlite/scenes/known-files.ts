/** The files of hits, which are in the packed part of their records. */
import type { FiledHit } from '../../../catalog/index.ts';
import { makeLru } from '../../../lru.ts';
import { toFiles } from '../../sql/hit-pages.ts';
import type { PackedRecord } from './packed-records.ts';
import { unpackRecord } from './packed-records.ts';

/** Scenes whose files are kept: their layouts are a few texts, and their places some hundred bytes each. */
const MAX_LISTED = 8_192;

/**
 * Builds the function that finds the files of a hit. They are kept by the version of the record, a hash of all of it:
 * unpacking and splitting it takes several times as long as all else that a page with files does. `readRest` is called for
 * files that are not kept.
 */
export function makeFindFiles(): (hit: string, readRest: () => Uint8Array) => FiledHit['files'] {
  const known = makeLru<FiledHit['files']>({ max: MAX_LISTED });
  // Equal texts are one: those of a dataset, and those of a tile.
  const texts = makeLru<string>({ max: MAX_LISTED });
  const share = (text: string): string => texts.remember(text, () => text);
  return (hit, readRest) =>
    known.remember(hit.slice(hit.lastIndexOf('"version":')), () => {
      const packed: PackedRecord = { hit, rest: readRest() };
      const { layout, places } = toFiles(unpackRecord(packed));
      return { layout: share(layout), places: share(places) };
    });
}
