/** Pages of hits between the thread that reads them and the one that shows them. */
import { makePause } from '../../async/index.ts';
import type { FiledHit, HitPage, SceneHit } from '../../catalog/index.ts';
import { listFiles } from '../../catalog/index.ts';
import type { StoredRecord } from './scenes.ts';

/** A page of hits: a JSON string for many of them creates less garbage in the parsing thread than one for each. */
export interface StoredHits {
  readonly found: number;
  readonly hits: readonly string[];
  readonly files?: SharedFiles;
}

/** The files of all hits of a page. Most are alike, and what is equal is sent once. */
interface SharedFiles {
  readonly layouts: readonly string[];
  readonly places: readonly string[];
  /** For each hit the number of its layout, then that of its places. */
  readonly of: readonly number[];
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

/** Shares what is equal in the files of a page. */
export function toSharedFiles(files: readonly FiledHit['files'][]): SharedFiles {
  const [layouts, places] = [new Map<string, number>(), new Map<string, number>()];
  const numberOf = (known: Map<string, number>, text: string): number => {
    const number = known.get(text) ?? known.size;
    known.set(text, number);
    return number;
  };
  const of = files.flatMap((one) => [numberOf(layouts, one.layout), numberOf(places, one.places)]);
  return { layouts: [...layouts.keys()], places: [...places.keys()], of };
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
    for (const hit of JSON.parse(list) as SceneHit[])
      hits.push(files === undefined ? hit : withFiles(hit, files, hits.length));
    const turn = pause();
    if (turn !== undefined) await turn;
  }
  return { found, hits };
}

function withFiles(hit: SceneHit, { layouts, places, of }: SharedFiles, i: number): FiledHit {
  const [layout, place] = [of[2 * i] as number, of[2 * i + 1] as number];
  return Object.assign(hit, {
    files: { layout: layouts[layout] as string, places: places[place] as string },
  });
}
