import { toItem } from '../../../src/live/testing/fake-answers.ts';
import { atProvider } from '../../../src/live/testing/made-item.ts';
import type { ItemChoices } from '../../../src/live/testing/make-item.ts';
import { makeItem } from '../../../src/live/testing/make-item.ts';
import type { RawItem } from '../stac/brute-force.ts';
import type { StacContent } from './start-stac-fastapi.ts';

/** Tiles in all parts of the world: neighbours, both hemispheres, far north, and two at 180°. */
const TILES = [
  '31TDH',
  '31TDG',
  '31TCH',
  '36UVA',
  '10UEU',
  '21LYD',
  '55HFA',
  '33XWH',
  '1KAB',
  '60KYF',
] as const;

const FIRST_DAY = Date.UTC(2024, 0, 1);
const DAYS = 730;

const toDay = (number: number): string =>
  new Date(FIRST_DAY + (number % DAYS) * 86_400_000).toISOString().slice(0, 10);

/** Items in the shapes of several providers, two thousand; the same in each run. */
export function makeContent(): StacContent & { readonly items: readonly RawItem[] } {
  const items = [...listSentinel2(), ...listLandsat(), ...listOthers()];
  return { items, collections: toCollections(items) };
}

const make = <Kind extends keyof ItemChoices>(kind: Kind, choice: ItemChoices[Kind]): RawItem =>
  toItem(makeItem(kind, choice, atProvider), { url: 'https://catalog.example' }) as unknown as RawItem;

/** Sentinel-2 of Earth Search: each tile every seventh day. */
const listSentinel2 = (): readonly RawItem[] =>
  TILES.flatMap((tile, number) =>
    Array.from({ length: 104 }, (_, i) =>
      make('earth-search/sentinel-2-l2a', { tile, day: toDay(i * 7 + number) }),
    ),
  );

/** Landsat 7 to 9: twelve neighbouring frames every sixteenth day, in one collection of stactools and one of the USGS. */
const listLandsat = (): readonly RawItem[] =>
  ([7, 8, 9] as const).flatMap((satellite, order) =>
    Array.from({ length: 12 * 20 }, (_, i) => {
      const [column, row] = [i % 4, Math.floor(i / 4) % 3];
      const day = toDay(Math.floor(i / 12) * 16 + order * 2 + column);
      const kind = row === 2 ? 'usgs/landsat-c2l2-sr' : 'planetary-computer/landsat-c2-l2';
      return make(kind, { path: 197 + column, row: 29 + row, day, satellite });
    }),
  );

/** Aerial images that lie side by side, and radar images that overlap; neither has clouds. */
const listOthers = (): readonly RawItem[] =>
  Array.from({ length: 200 }, (_, i) => {
    const day = toDay(i * 11);
    const quad = `${30_085 + Math.floor(i / 64)}${String(1 + (i % 64)).padStart(2, '0')}`;
    return [
      make('planetary-computer/naip', { state: 'al', quad, quarter: 'ne', day }),
      make('planetary-computer/sentinel-1-grd', { lon: 20 + (i % 7) * 1.3, lat: 40 + (i % 11) * 0.9, day }),
    ];
  }).flat();

/** A plain description of each collection that items name. */
export const toCollections = (items: readonly RawItem[]): StacContent['collections'] =>
  [...new Set(items.flatMap(({ collection }) => (collection ? [collection] : [])))].map((id) => ({
    type: 'Collection',
    stac_version: '1.0.0',
    id,
    description: id,
    license: 'other',
    links: [],
    extent: { spatial: { bbox: [[-180, -90, 180, 90]] }, temporal: { interval: [[null, null]] } },
  }));
