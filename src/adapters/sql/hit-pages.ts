/** Pages of hits between the thread that reads them and the one that shows them. */
import { makePause } from '../../async/index.ts';
import type { FiledHit, HitPage, SceneHit, StoredFiles } from '../../catalog/index.ts';
import { listFiles } from '../../catalog/index.ts';
import type { SceneRow, StoredRecord } from './scenes.ts';

/** A page of hits: a JSON string for many of them creates less garbage in the parsing thread than one for each. */
export interface StoredHits {
  readonly found: number;
  readonly hits: readonly string[];
  readonly files?: SharedFiles;
}

/** The files of all hits of a page. Most are alike: their layouts are sent once. */
interface SharedFiles {
  readonly layouts: readonly string[];
  /** For each hit the number of its layout. */
  readonly of: readonly number[];
  /** For each hit. */
  readonly places: readonly string[];
}

/** What follows the files in the rest of a record; its entries are in the order of their names. */
const BEHIND_FILES = /[{}]\},"(?:calibration|cloudMask|origin)":/;

/** A record without files. */
const NO_FILES: FiledHit['files'] = { layout: '{}', places: '' };

/**
 * The files in the rest of a record. They are cut out of the text: parsing all of it would take longer than all else that a
 * list does. Quotes inside JSON strings are escaped, so only keys match.
 */
export function toFiles({ rest = '{}' }: Pick<StoredRecord, 'rest'>): FiledHit['files'] {
  if (!rest.startsWith(ASSETS)) return NO_FILES;
  const end = BEHIND_FILES.exec(rest);
  return listFiles(rest.slice(ASSETS.length, end === null ? -1 : end.index + 2));
}

const ASSETS = '{"assets":';

/**
 * Layouts that a store keeps at most. Most catalogs have a few hundred; one whose scenes all have pixels of their own size would
 * have as many as scenes, and the files of all others are read from their records.
 */
export const MAX_LAYOUTS = 10_000;

/**
 * The column `files` of a record: the version of the record that it belongs to, the id of the layout, and the places; null
 * for one whose layout is not among those that are kept.
 */
export const toFilesColumn = (
  { version, files: { layout, places } }: Pick<SceneRow, 'version' | 'files'>,
  kept: ReadonlySet<string>,
): string | null => (kept.has(layout.id) ? `${version} ${layout.id} ${places}` : null);

const VERSION_LENGTH = 16;
const ID_LENGTH = 22;
const PLACES_AT = VERSION_LENGTH + ID_LENGTH + 2;

/**
 * What stands in the column; null where there is nothing, or what belongs to another version of the record: a Swath from
 * before the column may have written the record again, and left the column as it was.
 */
export function parseFilesColumn(
  hit: string,
  column: string | null,
): { readonly layoutId: string; readonly places: string } | null {
  // A hit ends with its version, a quote and a brace.
  if (column?.startsWith(hit.slice(-VERSION_LENGTH - 2, -2)) !== true) return null;
  return {
    layoutId: column.slice(VERSION_LENGTH + 1, VERSION_LENGTH + 1 + ID_LENGTH),
    places: column.slice(PLACES_AT),
  };
}

/** The layouts of rows, each once. In one order, so that nodes that add the same ones wait for each other. */
export function listLayouts(rows: readonly Pick<SceneRow, 'files'>[]): readonly StoredFiles['layout'][] {
  const layouts = new Map(rows.map(({ files: { layout } }) => [layout.id, layout]));
  return [...layouts.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Shares what is equal in the files of a page. */
export function toSharedFiles(files: readonly FiledHit['files'][]): SharedFiles {
  const layouts = new Map<string, number>();
  const of = files.map(({ layout }) => {
    const number = layouts.get(layout) ?? layouts.size;
    layouts.set(layout, number);
    return number;
  });
  return { layouts: [...layouts.keys()], of, places: files.map(({ places }) => places) };
}

/** Hits whose JSON is parsed in one piece: less than a millisecond. */
const HITS_OF_A_PART = 64;

/** The JSON of hits as lists, which are short enough to be parsed one after the other without blocking a thread. */
export function toHitLists(hits: readonly string[]): readonly string[] {
  const lists: string[] = [];
  for (let i = 0; i < hits.length; i += HITS_OF_A_PART)
    lists.push(`[${hits.slice(i, i + HITS_OF_A_PART).join(',')}]`);
  return lists;
}

/** Parses a page. */
export async function parseHits({ found, hits: lists, files }: StoredHits): Promise<HitPage> {
  const pause = makePause();
  const hits: (SceneHit | FiledHit)[] = [];
  for (const list of lists) {
    const parsed = JSON.parse(list) as SceneHit[];
    if (files === undefined) hits.push(...parsed);
    else {
      const footprints = cutFootprints(list, parsed.length);
      for (const [i, hit] of parsed.entries())
        hits.push(Object.assign(hit, { files: filesAt(files, hits.length), footprintJson: footprints[i] }));
    }
    const turn = pause();
    if (turn !== undefined) await turn;
  }
  return { found, hits };
}

/** Parses a hit with its files. */
export function parseHit(json: string, files: FiledHit['files']): FiledHit {
  const [footprintJson] = cutFootprints(json, 1);
  return { ...(JSON.parse(json) as SceneHit), files, footprintJson };
}

const FOOTPRINT = '"footprint":';

/**
 * The footprints of some hits as JSON; none where they cannot be told apart. Quotes inside JSON strings are escaped, so only
 * keys match, and a footprint holds no objects.
 */
function cutFootprints(json: string, count: number): readonly string[] {
  const cut: string[] = [];
  for (let at = json.indexOf(FOOTPRINT); at >= 0; at = json.indexOf(FOOTPRINT, at)) {
    const begin = at + FOOTPRINT.length;
    at = json.indexOf('}', begin) + 1;
    cut.push(json.slice(begin, at));
  }
  return cut.length === count ? cut : [];
}

const filesAt = ({ layouts, places, of }: SharedFiles, i: number): FiledHit['files'] => ({
  layout: layouts[of[i] as number] as string,
  places: places[i] as string,
});
