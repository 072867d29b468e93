/** A few scenes of one place in each preset's catalog, and what must be read from them. */
import type { StoredAs } from '../../src/live/testing/ground.ts';
import { LANDSAT_REFLECTANCE, makeLandsatScene } from '../../src/live/testing/landsat-scene.ts';
import type { FilePlace, MadeItem } from '../../src/live/testing/made-item.ts';
import { makeItem } from '../../src/live/testing/make-item.ts';
import { toMgrsTile } from '../../src/live/testing/mgrs-tiles.ts';
import { MSI_OFFSET, MSI_PLAIN } from '../../src/live/testing/sentinel2-scene.ts';
import type { PresetName } from './live-service.ts';
import type { Frame } from './made-places.ts';

/** How cloudy the scene of a day is: its upper left corner, to the 40th square of the ground, or all of it. */
type Clouds = 'none' | 'corner' | 'all';

/** Days of the scenes and their clouds. */
export const SCENES: readonly { readonly day: string; readonly clouds: Clouds }[] = [
  { day: '2022-04-16', clouds: 'none' },
  { day: '2022-05-18', clouds: 'corner' },
  { day: '2022-06-19', clouds: 'all' },
  { day: '2022-07-21', clouds: 'none' },
  { day: '2022-09-23', clouds: 'none' },
];

/** Red, near infrared, clouds and heights. */
const OF_ALL_DAYS = /_?(B04|B08|SCL)(_\d\dm)?\.(tif|jp2)$|_(SR_B4|SR_B5|QA_PIXEL)\.TIF$|_DEM\.tif$/;
/** Bands of pictures in natural colours, which is what thumbnails show. */
const OF_PICTURES = /B0?[1235](_\d\dm)?\.(tif|jp2)$/i;

/** Whether tests read a file of a scene, with pictures of the scenes of some days. */
export const makeWillRead = (...picturedDays: readonly string[]) => {
  const names = picturedDays.map((day) => day.replaceAll('-', ''));
  return (path: string): boolean =>
    OF_ALL_DAYS.test(path) || (OF_PICTURES.test(path) && names.some((name) => path.includes(name)));
};

/** The catalog of a preset with `SCENES` in it. */
export interface PresetWorld {
  readonly preset: PresetName;
  readonly dataset: string;
  /** Bands of the dataset. */
  readonly red: string;
  readonly near: string;
  readonly frame: Frame;
  /** The view id of the scene of a day. */
  readonly viewIdOn: (day: string) => string;
  /** How files store reflectance. */
  readonly stored: StoredAs;
  readonly items: (place: FilePlace) => readonly MadeItem[];
  /** Whether the catalog has the elevation model of `DEM_CELL`. */
  readonly hasTerrain: boolean;
  /** How the number of matches is known without a filter that the catalog cannot apply. */
  readonly foundBy: 'stated' | 'counted';
  readonly env?: Readonly<Record<string, string>>;
}

const TILE = '31TDH';

/** The south-west corner of a degree in the tile. */
export const DEM_CELL = { lon: 2, lat: 42 };

type Sentinel2Kind =
  | 'earth-search/sentinel-2-l2a'
  | 'planetary-computer/sentinel-2-l2a'
  | 'copernicus/sentinel-2-l2a';

const sentinel2 = (kind: Sentinel2Kind, stored: StoredAs, foundBy: PresetWorld['foundBy']): PresetWorld => ({
  preset: kind.split('/')[0] as PresetName,
  dataset: 'sentinel2l2a',
  red: 'B04',
  near: 'B08',
  frame: toMgrsTile(TILE),
  viewIdOn: (day) => `S2L2A/31/T/DH/${day.split('-').map(Number).join('/')}/0`,
  stored,
  items: (place) => [
    ...SCENES.map(({ day, clouds }) =>
      makeItem(kind, { tile: TILE, day, cloud: { none: 0, corner: 20, all: 100 }[clouds] }, place),
    ),
    ...(kind === 'copernicus/sentinel-2-l2a'
      ? []
      : [
          makeItem(
            kind === 'earth-search/sentinel-2-l2a'
              ? 'earth-search/cop-dem-glo-30'
              : 'planetary-computer/cop-dem-glo-30',
            DEM_CELL,
            place,
          ),
        ]),
  ],
  hasTerrain: kind !== 'copernicus/sentinel-2-l2a',
  foundBy,
});

const LANDSAT_PLACE = { path: 197, row: 30 };

/** All presets. */
export const WORLDS: readonly PresetWorld[] = [
  // The offset of newer baselines is not in the pixels of this collection.
  sentinel2('earth-search/sentinel-2-l2a', MSI_PLAIN, 'stated'),
  sentinel2('planetary-computer/sentinel-2-l2a', MSI_OFFSET, 'counted'),
  sentinel2('copernicus/sentinel-2-l2a', MSI_OFFSET, 'counted'),
  {
    preset: 'usgs',
    dataset: 'landsat8',
    red: 'B4',
    near: 'B5',
    frame: makeLandsatScene({ ...LANDSAT_PLACE, day: '2022-04-16' }),
    viewIdOn: (day) => `L8/${makeLandsatScene({ ...LANDSAT_PLACE, day }).productId}`,
    stored: LANDSAT_REFLECTANCE,
    items: (place) =>
      SCENES.map(({ day, clouds }) =>
        makeItem(
          'usgs/landsat-c2l2-sr',
          { ...LANDSAT_PLACE, day, cloud: { none: 0, corner: 5, all: 100 }[clouds] },
          place,
        ),
      ),
    hasTerrain: false,
    foundBy: 'stated',
    env: { SWATH_AWS_KEY: 'AKIAFORTESTS:a-secret-for-tests' },
  },
];
