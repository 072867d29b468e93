import type { LonLatBounds } from '../../geo/index.ts';
import { makeLru } from '../../lru.ts';
import { DAY_MS } from '../../units.ts';
import type { FindFile } from './fake-files.ts';
import type { ItemSource, Wanted } from './fake-search.ts';
import type { StyleName } from './fake-styles.ts';
import type { FilePlace, MadeItem } from './made-item.ts';
import { chance } from './made-item.ts';
import { makeItem } from './make-item.ts';
import { listMgrsTiles } from './mgrs-tiles.ts';
import { isPassed, listWrsScenes } from './wrs-scenes.ts';

/** A collection of the made-up Earth: which scenes there are, and how one is found by its id or by the path of a file. */
interface EarthCollection {
  readonly collection: string;
  /** Places that may meet some boxes. */
  places(bounds: readonly LonLatBounds[]): readonly string[];
  /** The place that conditions of a search name; null if they name none. */
  placeOf(stated: Wanted['stated']): string | null;
  /** The item of a place on a day; null if there was no recording. */
  at(place: string, day: string): MadeItem | null;
  /** Place and day in an id or in the path of a file. */
  parse(name: string): { readonly place: string; readonly day: string } | null;
  /** First day. */
  readonly since: string;
  /** True for models of the ground, which have one item a place. */
  readonly isTimeless?: boolean;
}

/** Searches of larger areas see the first so many places. */
const MAX_PLACES = 400;
/** Candidates of one search: those of the newest days. */
const MAX_CANDIDATES = 5_000;
/** Heads of items that are remembered, so that the fake adds little to the time of a benchmark. */
const MAX_REMEMBERED = 20_000;

/** Sentinel-2 passes every five days, on a day that follows from its tile. */
const REVISIT_DAYS = 5;

const dayNumber = (day: string): number => Date.parse(`${day}T00:00:00Z`) / DAY_MS;
const toDay = (number: number): string => new Date(number * DAY_MS).toISOString().slice(0, 10);
const isRevisited = (tile: string, day: string): boolean =>
  (dayNumber(day) + Math.floor(chance('revisit', tile) * REVISIT_DAYS)) % REVISIT_DAYS === 0;
const unique = (names: readonly string[]): readonly string[] => [...new Set(names)].slice(0, MAX_PLACES);

function sentinel2(
  kind:
    | 'earth-search/sentinel-2-l2a'
    | 'earth-search/sentinel-2-c1-l2a'
    | 'planetary-computer/sentinel-2-l2a'
    | 'copernicus/sentinel-2-l2a',
  place: FilePlace,
  noise: number,
): EarthCollection {
  return {
    collection: kind.split('/')[1]!,
    since: '2015-07-01',
    places: (bounds) => unique(bounds.flatMap((one) => listMgrsTiles(grow(one), MAX_PLACES))),
    placeOf: (stated) => {
      const code = stated.get('s2:mgrs_tile') ?? stated.get('grid:code');
      const mgrs = ['utm_zone', 'latitude_band', 'grid_square'].map((name) => stated.get(`mgrs:${name}`));
      if (mgrs.every((part) => part !== undefined)) return mgrs.join('');
      return code === undefined
        ? null
        : String(code)
            .replace(/^MGRS-/, '')
            .replace(/^0/, '');
    },
    at: (tile, day) => (isRevisited(tile, day) ? makeItem(kind, { tile, day, noise }, place) : null),
    parse(name) {
      const [, tile] = /(?:_T|\/T|^S2[AB]_|\/S2[AB]_)0?(\d{1,2}[C-X][A-Z]{2})_/.exec(name) ?? [];
      const day = /_(20\d{2})(\d{2})(\d{2})[T_]/.exec(name)?.slice(1).join('-');
      return tile === undefined || day === undefined ? null : { place: tile, day };
    },
  };
}

/** Tiles reach beyond their square by 9.8 km to the east and south: those to the west and north may meet a box too. */
const grow = ({ west, south, east, north }: LonLatBounds): LonLatBounds => ({
  west:
    west -
    0.15 /
      Math.max(0.1, Math.cos((Math.min(89, Math.max(Math.abs(south), Math.abs(north))) * Math.PI) / 180)),
  south,
  east,
  north: Math.min(84, north + 0.1),
});

function landsat(
  kind: 'planetary-computer/landsat-c2-l2' | 'usgs/landsat-c2l2-sr',
  place: FilePlace,
): EarthCollection {
  return {
    collection: kind.split('/')[1]!,
    since: '2013-04-11',
    places: (bounds) =>
      unique(
        bounds.flatMap((one) =>
          listWrsScenes(one, MAX_PLACES).map(
            ({ path, row }) => `${String(path).padStart(3, '0')}${String(row).padStart(3, '0')}`,
          ),
        ),
      ),
    placeOf: (stated) => {
      const [path, row] = [stated.get('landsat:wrs_path'), stated.get('landsat:wrs_row')];
      return path === undefined || row === undefined ? null : `${path}${row}`;
    },
    at(pathRow, day) {
      const [path, row] = [Number(pathRow.slice(0, 3)), Number(pathRow.slice(3))];
      const satellite = isPassed(path, day, 8) ? 8 : isPassed(path, day, 9) && day >= '2021-11-01' ? 9 : null;
      return satellite === null ? null : makeItem(kind, { path, row, day, satellite }, place);
    },
    parse(name) {
      const [, pathRow, year, month, date] = /_(\d{6})_(\d{4})(\d{2})(\d{2})_/.exec(name) ?? [];
      return pathRow === undefined ? null : { place: pathRow, day: `${year}-${month}-${date}` };
    },
  };
}

function dem(
  kind: 'earth-search/cop-dem-glo-30' | 'planetary-computer/cop-dem-glo-30',
  place: FilePlace,
): EarthCollection {
  const day = '2021-04-22';
  return {
    collection: 'cop-dem-glo-30',
    since: day,
    isTimeless: true,
    placeOf: () => null,
    places: (bounds) =>
      unique(
        bounds.flatMap(({ west, south, east, north }) => {
          const cells: string[] = [];
          for (let lat = Math.floor(south - 0.001); lat <= Math.min(83, north); lat++) {
            for (let lon = Math.floor(west); lon <= (east < west ? east + 360 : east) + 0.001; lon++) {
              cells.push(`${((((lon + 180) % 360) + 360) % 360) - 180} ${lat}`);
              if (cells.length >= MAX_PLACES) return cells;
            }
          }
          return cells;
        }),
      ),
    at(cell) {
      const [lon = 0, lat = 0] = cell.split(' ').map(Number);
      return makeItem(kind, { lon, lat }, place);
    },
    parse(name) {
      const [, ns, lat, ew, lon] = /DEM?_?.*_([NS])(\d{2})_00_([EW])(\d{3})_00_DEM/.exec(name) ?? [];
      if (ns === undefined) return null;
      return {
        place: `${ew === 'W' ? -Number(lon) : Number(lon)} ${ns === 'S' ? -Number(lat) : Number(lat)}`,
        day,
      };
    },
  };
}

/** Collections that a style of catalog has. */
const collectionsOf = (style: StyleName, place: FilePlace, noise: number): readonly EarthCollection[] => {
  switch (style) {
    case 'planetary-computer':
      return [
        sentinel2('planetary-computer/sentinel-2-l2a', place, noise),
        landsat('planetary-computer/landsat-c2-l2', place),
        dem('planetary-computer/cop-dem-glo-30', place),
      ];
    case 'copernicus':
      return [sentinel2('copernicus/sentinel-2-l2a', place, noise)];
    case 'usgs':
      return [landsat('usgs/landsat-c2l2-sr', place)];
    case 'earth-search':
    case 'plain':
      return [
        sentinel2('earth-search/sentinel-2-l2a', place, noise),
        sentinel2('earth-search/sentinel-2-c1-l2a', place, noise),
        dem('earth-search/cop-dem-glo-30', place),
      ];
  }
};

/** What an Earth is made with. */
interface EarthOptions {
  /** Nothing is newer. */
  readonly today: string;
  /** Of Sentinel-2's stored numbers; with 100, files have some hundred megabytes, as real ones. */
  readonly noise?: number;
}

/**
 * A whole Earth: scenes of every place and day, made when they are asked for. A search of a large area sees the places in
 * its south-west and the newest days, as many as it takes to answer.
 */
export function makeFakeEarth(
  style: StyleName,
  place: FilePlace,
  { today, noise = 0 }: EarthOptions,
): { readonly source: ItemSource; readonly findFile: FindFile } {
  const remembered = makeLru<MadeItem | null>({ max: MAX_REMEMBERED });
  const all = collectionsOf(style, place, noise).map((one) => ({
    ...one,
    at: (where: string, day: string) =>
      remembered.remember(`${one.collection} ${where} ${day}`, () => one.at(where, day)),
  }));

  const byName = (name: string, collections: readonly EarthCollection[]): MadeItem[] =>
    collections.flatMap((one) => {
      const parsed = one.parse(name);
      const item = parsed === null || parsed.day > today ? null : tryAt(one, parsed.place, parsed.day);
      return item === null ? [] : [item];
    });

  const source: ItemSource = {
    collections: all.map(({ collection }) => collection),
    *list(wanted) {
      const asked = all.filter(({ collection }) => wanted.collections?.includes(collection) ?? true);
      if (wanted.ids !== null) {
        for (const id of wanted.ids) yield* byName(id, asked).filter(({ head }) => head.id === id);
        return;
      }
      for (const one of asked) yield* listCollection(one, wanted, today);
    },
    find: (collection, id) =>
      byName(
        id,
        all.filter((one) => one.collection === collection),
      ).find(({ head }) => head.id === id) ?? null,
  };
  return {
    source,
    findFile(path) {
      for (const item of byName(path, all)) {
        const make = item.files().get(path);
        if (make !== undefined) return make;
      }
      return null;
    },
  };
}

/** Names of files of strangers may name places that do not exist. */
function tryAt(one: EarthCollection, place: string, day: string): MadeItem | null {
  try {
    return one.at(place, day);
  } catch {
    return null;
  }
}

const WORLD: LonLatBounds = { west: -180, south: -60, east: 180, north: 75 };

function* listCollection(
  one: EarthCollection,
  { bounds, during, stated }: Wanted,
  today: string,
): Iterable<MadeItem> {
  const named = one.placeOf(stated);
  const places = named === null ? one.places(bounds ?? [WORLD]) : [named];
  const first = Math.max(dayNumber(one.since), Math.floor(during[0] / DAY_MS));
  const last = one.isTimeless ? first : Math.min(dayNumber(today), Math.floor(during[1] / DAY_MS));
  let count = 0;
  for (let number = last; number >= first && count < MAX_CANDIDATES; number--) {
    const day = toDay(number);
    for (const place of places) {
      const item = tryAt(one, place, day);
      if (item === null) continue;
      count++;
      yield item;
    }
  }
}
